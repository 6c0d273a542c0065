import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../src/contracts/errors.ts';
import { type FuzzTarget, fuzz, keep } from './fuzz.ts';

let corpus: string;
beforeEach(() => {
  corpus = mkdtempSync(join(tmpdir(), 'fuzz-corpus-'));
});
afterEach(() => rmSync(corpus, { recursive: true, force: true }));

const target = (feed: FuzzTarget['feed'], more: Partial<FuzzTarget> = {}): FuzzTarget => ({
  name: 'test',
  make: (random) => ({ a: String(random.integer(0, 9)) }),
  feed,
  ...more,
});

describe('the frame', () => {
  it('lets an answer and a line pass, and nothing else', async () => {
    const answers = target(async ({ a }) => {
      if (Number(a) > 4) throw new UserError('one line');
    });
    expect(await fuzz(answers, corpus, { count: 30 })).toEqual([]);
    const crash = await fuzz(
      target(async ({ a }) => void (a as unknown as string[]).map(Number)),
      corpus,
      { count: 3 },
    );
    expect(crash.map(({ seed, reason }) => [seed, /is not a function/.test(reason)])).toEqual(
      [0, 1, 2].map((seed) => [seed, true]),
    );
  });
  it('notices time and memory', async () => {
    const busy = target(
      async () => {
        const start = process.cpuUsage();
        while (process.cpuUsage(start).user < 60_000);
      },
      { mostCpuSeconds: 0.05 },
    );
    expect(await fuzz(busy, corpus, { count: 1 })).toMatchObject([{ reason: expect.stringMatching(/s of computing/) }]);
    let held: Uint8Array | undefined;
    const greedy = target(
      async () => {
        held = new Uint8Array(200_000_000).fill(1);
      },
      { mostMegabytes: 50 },
    );
    expect(await fuzz(greedy, corpus, { count: 1 })).toMatchObject([{ reason: expect.stringMatching(/MB/) }]);
    expect(held).toHaveLength(200_000_000);
  });
  it('feeds what was kept first, as it was', async () => {
    keep(corpus, 'old-fault', { text: 'é\u0000', bytes: Uint8Array.of(0, 255) });
    const seen: unknown[] = [];
    await fuzz(
      target(async (input) => void seen.push(input)),
      corpus,
      { count: 1 },
    );
    expect(seen[0]).toEqual({ text: 'é\u0000', bytes: Buffer.of(0, 255) });
    expect(seen).toHaveLength(2);
  });
});
