import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { planBatches, runCampaign } from './campaign.ts';
import { targets } from './targets.ts';

const count = Number(process.env.FUZZ_COUNT ?? 800);
const corpus = join('test', 'fuzz', 'corpus');

beforeAll(() => {
  const { status, stderr } = spawnSync('node', ['scripts/fuzz.mjs', '--bundle'], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
});

it('nothing but an answer or a line, within the limits: what was kept of every format, and some new', async () => {
  const faults: string[] = [];
  const fed = new Map<string, number>();
  const batches = planBatches(count, 0).map((batch) => ({ ...batch, withCorpus: true }));
  await runCampaign(batches, {
    corpus,
    child: join('.cache', 'fuzz', 'main.mjs'),
    jobs: 1,
    oneProcess: true,
    onFault: ({ target, seed, reason }) => faults.push(`${target} ${seed}: ${reason}`),
    onBatch: ({ target }, { inputs }) => fed.set(target, inputs),
  });
  expect(faults).toEqual([]);
  expect([...fed.keys()].sort()).toEqual(targets.map(({ name }) => name).sort());
});

it('what is kept stays small', () => {
  const bytes = ['corpus', 'seeds'].flatMap((folder) =>
    readdirSync(join('test', 'fuzz', folder), { recursive: true }).map(
      (name) => statSync(join('test', 'fuzz', folder, String(name))).size,
    ),
  );
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
});
