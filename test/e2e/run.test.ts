import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprints, type Ran, sceneshift, temporaryFolder } from '../support/cli.ts';
import { type MadeDataset, makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';

const layers = [
  { channels: 8, kernel: 5, stride: 2 },
  { channels: 12, kernel: 3, stride: 2 },
];
const scenarios = ['--scenarios', 'original,blur-background,random-background,size:0.05'];

/** Every stored row but its identities, in an order of its own. */
async function rowsOf(run: string): Promise<string[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const query = `SELECT * EXCLUDE (condition, "sampleHash") FROM read_parquet('${run}/predictions/*.parquet') ORDER BY ALL`;
  const rows = (await connection.runAndReadAll(query)).getRowsJson();
  connection.closeSync();
  return rows.map((row) => JSON.stringify(row));
}

describe('run', () => {
  let data: MadeDataset;
  let home: string;
  let model: string;
  let second: string;
  /** A finished run that several tests read and none changes. */
  let whole: string;
  let ran: Ran;

  const writeNet = async (name: string, seed: string) => {
    const path = join(home, name);
    await writeFile(path, plainNet({ sizePx: 48, layers, outputs: 3, seed }));
    const record = {
      labels: ['disc', 'square', 'ring'],
      resize: { shortSide: 48, filter: 'bilinear' },
      crop: 48,
      preprocessing: 'imagenet',
    };
    await writeFile(`${path}.json`, JSON.stringify(record));
    return path;
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-run-'));
    data = await makeDataset(join(home, 'data'), { perClass: 16 });
    model = await writeNet('first.onnx', 'first');
    second = await writeNet('second.onnx', 'second');
    whole = join(home, 'whole');
    ran = await run(whole);
    return () => rm(home, { recursive: true, force: true });
  });

  const run = (out: string, ...more: string[]) =>
    sceneshift(['run', '--data', data.manifest, '--model', model, ...scenarios, '--out', out, '--json', ...more]);

  it('leaves nothing behind but the run: no log, no identity for a telemetry', async () => {
    const own = temporaryFolder();
    const env = { TMPDIR: own, HOME: own, XDG_CACHE_HOME: own, ORT_DISABLE_TELEMETRY: undefined };
    const out = join(temporaryFolder(), 'run');
    const args = ['run', '--data', data.manifest, '--model', model, '--scenarios', 'original', '--out', out];
    const { status, stderr } = await sceneshift(args, { env });
    expect(status, stderr).toBe(0);
    expect(Object.keys(await fingerprints(own))).toEqual([]);
  });

  it('answers every scenario of every sample, and prints the fixed shape', async () => {
    expect(ran.status, ran.stderr).toBe(0);
    const result = JSON.parse(ran.stdout);
    expect(result).toMatchObject({ run: whole, rows: 5 * data.samples, errors: 0, seconds: expect.any(Number) });
    expect(result.score.models[0].scenarios).toHaveLength(5);
    // Where a background is replaced, pasting back runs beside it.
    expect(result.score.models[0].scenarios.map(({ scenario }: { scenario: string }) => scenario)).toContain(
      'paste-back',
    );
    const record = JSON.parse(await readFile(join(whole, 'run.json'), 'utf8'));
    expect(record).toMatchObject({ seed: 0, sceneshift: expect.any(String), data: { samples: data.samples } });
    expect(JSON.stringify(record.models[0].identity)).toMatch(/[0-9a-f]{64}/);
  });

  it('gives the same rows at any number of threads and any batch', async () => {
    const out = temporaryFolder();
    await run(join(out, 'one'), '--threads', '1', '--batch', '3');
    await run(join(out, 'two'), '--threads', '2');
    expect(await rowsOf(join(out, 'two'))).toEqual(await rowsOf(join(out, 'one')));
  });

  it('killed at ten moments and continued, has the rows of an uninterrupted run: nothing twice, nothing lost', async () => {
    const out = temporaryFolder();
    let kills = 0;
    for (let i = 0; i < 10; i++) {
      const { status } = await sceneshift(
        ['run', '--data', data.manifest, '--model', model, ...scenarios, '--out', join(out, 'killed'), '--json'],
        {
          // Later and later, from before the first shard to about the end.
          onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), 250 + 110 * i),
        },
      );
      if (status === null) kills++;
    }
    expect(kills).toBeGreaterThan(0);
    expect(await run(join(out, 'killed'))).toMatchObject({ status: 0 });
    expect(await rowsOf(join(out, 'killed'))).toEqual(await rowsOf(whole));
  });

  it('computes only what is missing when a model or a scenario is added', async () => {
    const out = join(temporaryFolder(), 'run');
    await run(out);
    const again = await run(out);
    expect(again.stderr).toContain(`${5 * data.samples} of ${5 * data.samples} answers found, 0 to do`);
    const more = await run(out, '--model', second, '--scenarios', 'grey');
    expect(more.stderr).toContain(`${5 * data.samples} of ${12 * data.samples} answers found`);
    expect(JSON.parse(more.stdout).rows).toBe(12 * data.samples);
  });

  it('replaces the rows of a model that has changed, and no others', async () => {
    const out = join(temporaryFolder(), 'run');
    const changing = await writeNet('changing.onnx', 'before');
    await run(out, '--model', changing);
    const before = await rowsOf(out);
    await writeNet('changing.onnx', 'after');
    const { stdout, stderr } = await run(out, '--model', changing);
    expect(stderr).toContain(`${5 * data.samples} of ${10 * data.samples} answers found`);
    expect(JSON.parse(stdout).rows).toBe(10 * data.samples);
    const after = await rowsOf(out);
    expect(after).not.toEqual(before);
    expect(after.filter((row) => row.includes('"first"'))).toEqual(before.filter((row) => row.includes('"first"')));
  });

  it('is held to its gates, with status 100 where one breaks', async () => {
    const folder = temporaryFolder();
    const config = join(folder, 'sceneshift.yaml');
    await writeFile(
      config,
      'gates:\n  - { metric: top1, min: 0 }\n  - { metric: top1, scenario: original, min: 1.1, bound: confidence }\n',
    );
    const files = ['--junit', join(folder, 'gates.xml'), '--markdown', join(folder, 'gates.md')];
    const { status, stdout } = await sceneshift(['check', whole, '--config', config, ...files, '--json']);
    expect(status).toBe(100);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: false,
      gates: expect.arrayContaining([expect.objectContaining({ passed: true })]),
    });
    expect(await readFile(join(folder, 'gates.xml'), 'utf8')).toContain('tests="5" failures="1"');
    expect(await readFile(join(folder, 'gates.md'), 'utf8')).toContain('1 of 5 gates failed');
    expect(await sceneshift(['check', whole])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('No gates'),
    });
  });

  it('stores folds with every row', async () => {
    const out = join(temporaryFolder(), 'run');
    await run(out, '--folds', '4', '--scenarios', 'original');
    const folds = (await rowsOf(out)).map((row) => JSON.parse(row)[6]);
    expect(new Set(folds)).toEqual(new Set([0, 1, 2, 3, -1].slice(0, 4)));
  });

  it.each([
    [
      'a truncated model',
      async () => {
        const bytes = await readFile(model);
        await writeFile(join(home, 'cut.onnx'), bytes.subarray(0, bytes.length / 3));
        return ['--model', join(home, 'cut.onnx')];
      },
      /cut\.onnx/,
    ],
    [
      'labels that do not fit',
      async () => {
        await writeFile(join(home, 'odd.onnx'), plainNet({ sizePx: 48, layers, outputs: 5 }));
        await writeFile(join(home, 'odd.onnx.json'), JSON.stringify({ labels: ['a', 'b', 'c'] }));
        return ['--model', join(home, 'odd.onnx')];
      },
      /label/,
    ],
    ['a model that is not there', async () => ['--model', join(home, 'nowhere.onnx')], /nowhere\.onnx/],
    [
      'an unknown scenario',
      async () => ['--model', model, '--scenarios', 'blurr-background'],
      /did you mean blur-background/,
    ],
    [
      'a dataset without masks',
      async () => {
        const manifest = join(data.folder, 'without.csv');
        const rows = (await readFile(data.manifest, 'utf8'))
          .trim()
          .split('\n')
          .map((row) =>
            row
              .split(',')
              .filter((_, i) => i !== 1)
              .join(','),
          );
        await writeFile(manifest, rows.join('\n'));
        return ['--model', model, '--data', manifest, '--scenarios', 'segmented'];
      },
      /mask/,
    ],
  ])('answers %s with one line before any work', async (_name, prepare, expected) => {
    const out = join(temporaryFolder(), 'run');
    const args = await prepare();
    const base = args.includes('--data') ? [] : ['--data', data.manifest];
    const named = args.includes('--scenarios') ? [] : scenarios;
    const { status, stdout, stderr } = await sceneshift(['run', ...base, ...args, ...named, '--out', out]);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    const lines = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('!'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(expected);
  });
});
