import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  fingerprints,
  type Ran,
  sceneshift,
  sceneshiftEach,
  startSceneshift,
  temporaryFolder,
} from '../support/cli.ts';
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
  /** Its file is written anew by one test. */
  let changing: string;
  /** A finished run of both models in two threads that tests read, or continue in a copy. */
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
    data = await makeDataset(join(home, 'data'), { perClass: 6 });
    model = await writeNet('first.onnx', 'first');
    changing = await writeNet('changing.onnx', 'before');
    whole = join(home, 'whole');
    ran = await run(whole, '--model', changing, '--threads', '2');
    return () => rm(home, { recursive: true, force: true });
  });

  const runArgs = (out: string, ...more: string[]) => {
    const threads = more.includes('--threads') ? [] : ['--threads', '1'];
    const args = ['run', '--data', data.manifest, '--model', model, ...scenarios, '--out', out, '--json'];
    return [...args, ...threads, ...more];
  };
  const run = (out: string, ...more: string[]) => sceneshift(runArgs(out, ...more));
  const copyOfWhole = async () => {
    const out = join(temporaryFolder(), 'run');
    await cp(whole, out, { recursive: true });
    return out;
  };

  it('leaves nothing behind but the run: no log, no identity for a telemetry', async () => {
    const own = temporaryFolder();
    const env = { TMPDIR: own, HOME: own, XDG_CACHE_HOME: own, ORT_DISABLE_TELEMETRY: undefined };
    const out = join(temporaryFolder(), 'run');
    const args = ['run', '--data', data.manifest, '--model', model, '--scenarios', 'original', '--out', out];
    const { status, stderr } = await startSceneshift([...args, '--threads', '1'], { env });
    expect(status, stderr).toBe(0);
    expect(Object.keys(await fingerprints(own))).toEqual([]);
  });

  it('answers every scenario of every sample, and prints the fixed shape', async () => {
    expect(ran.status, ran.stderr).toBe(0);
    const result = JSON.parse(ran.stdout);
    expect(result).toMatchObject({ run: whole, rows: 10 * data.samples, errors: 0, seconds: expect.any(Number) });
    expect(result.score.models[0].scenarios).toHaveLength(5);
    // Where a background is replaced, pasting back runs beside it.
    expect(result.score.models[0].scenarios.map(({ scenario }: { scenario: string }) => scenario)).toContain(
      'paste-back',
    );
    const record = JSON.parse(await readFile(join(whole, 'run.json'), 'utf8'));
    expect(record).toMatchObject({ seed: 0, sceneshift: expect.any(String), data: { samples: data.samples } });
    expect(JSON.stringify(record.models[0].identity)).toMatch(/[0-9a-f]{64}/);
  });

  it('--no-report: rows and scores alone, until the same command is given without it', async () => {
    const out = join(temporaryFolder(), 'run');
    const short = ['--limit', '4', '--scenarios', 'grey'];
    const without = JSON.parse((await run(out, ...short, '--no-report')).stdout);
    expect((await readdir(out)).sort()).toEqual(['errors.jsonl', 'predictions', 'run.json']);
    const again = await run(out, ...short);
    expect(again.stderr).toContain('0 to do');
    const whole = JSON.parse(again.stdout);
    expect(without).toEqual({ ...whole, seconds: expect.any(Number), report: null });
    expect(await readdir(out)).toEqual(expect.arrayContaining(['pictures', 'report.html']));
    expect(whole.report).toBe(join(out, 'report.html'));
  });

  it('gives the same rows at any number of threads and any batch', async () => {
    const one = join(temporaryFolder(), 'one');
    await run(one, '--model', changing, '--threads', '1', '--batch', '3', '--no-report');
    expect(await rowsOf(one)).toEqual(await rowsOf(whole));
  });

  it('killed at five moments and continued, has the rows of an uninterrupted run: nothing twice, nothing lost', async () => {
    const out = join(temporaryFolder(), 'killed');
    const shards = () => readdir(join(out, 'predictions')).catch(() => []);
    // From before anything is there to when all of it is; the last may come too late.
    const moments: ((said: string) => boolean | Promise<boolean>)[] = [
      () => true,
      () => existsSync(out),
      (said) => said.includes('answers to come'),
      async () => (await shards()).length > 0,
      async () => (await shards()).some((name) => name.endsWith('.parquet')),
    ];
    let kills = 0;
    for (const isTime of moments) {
      const { status } = await startSceneshift(runArgs(out, '--model', changing), {
        onStart(child) {
          let said = '';
          child.stderr?.on('data', (text) => (said += text));
          const watch = setInterval(async () => (await isTime(said)) && child.kill('SIGKILL'), 5);
          child.on('exit', () => clearInterval(watch));
        },
      });
      if (status === null) kills++;
    }
    expect(kills).toBeGreaterThan(2);
    expect(await run(out, '--model', changing)).toMatchObject({ status: 0 });
    expect(await rowsOf(out)).toEqual(await rowsOf(whole));
  });

  it('computes only what is missing when a model or a scenario is added', async () => {
    const out = await copyOfWhole();
    const again = await run(out, '--no-report');
    expect(again.stderr).toContain(`${5 * data.samples} of ${5 * data.samples} answers found, 0 to do`);
    const second = await writeNet('second.onnx', 'second');
    const more = await run(out, '--model', second, '--scenarios', 'grey');
    expect(more.stderr).toContain(`${5 * data.samples} of ${12 * data.samples} answers found`);
    expect(JSON.parse(more.stdout).rows).toBe(17 * data.samples);
  });

  it('replaces the rows of a model that has changed, and no others', async () => {
    const out = await copyOfWhole();
    const before = await rowsOf(out);
    await writeNet('changing.onnx', 'after');
    const { stdout, stderr } = await run(out, '--model', changing, '--no-report');
    expect(stderr).toContain(`${5 * data.samples} of ${10 * data.samples} answers found`);
    expect(JSON.parse(stdout).rows).toBe(10 * data.samples);
    const after = await rowsOf(out);
    expect(after).not.toEqual(before);
    expect(after.filter((row) => row.includes('"first"'))).toEqual(before.filter((row) => row.includes('"first"')));
    await writeNet('changing.onnx', 'before');
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
    expect(await readFile(join(folder, 'gates.xml'), 'utf8')).toContain('tests="10" failures="2"');
    expect(await readFile(join(folder, 'gates.md'), 'utf8')).toContain('2 of 10 gates failed');
    expect(await sceneshift(['check', whole])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('No gates'),
    });
  });

  it('stores folds with every row', async () => {
    const out = join(temporaryFolder(), 'run');
    await run(out, '--folds', '4', '--scenarios', 'original', '--no-report');
    const folds = (await rowsOf(out)).map((row) => JSON.parse(row)[6]);
    expect(new Set(folds)).toEqual(new Set([0, 1, 2, 3, -1].slice(0, 4)));
  });

  it('answers what is wrong with one line before any work', async () => {
    const bytes = await readFile(model);
    await writeFile(join(home, 'cut.onnx'), bytes.subarray(0, bytes.length / 3));
    await writeFile(join(home, 'odd.onnx'), plainNet({ sizePx: 48, layers, outputs: 5 }));
    await writeFile(join(home, 'odd.onnx.json'), JSON.stringify({ labels: ['a', 'b', 'c'] }));
    const withoutMasks = join(data.folder, 'without.csv');
    const rows = (await readFile(data.manifest, 'utf8')).trim().split('\n');
    const cells = rows.map((row) => row.split(',').filter((_, i) => i !== 1));
    await writeFile(withoutMasks, cells.map((row) => row.join(',')).join('\n'));

    const wrong: [model: string, named: string[], manifest: string, said: RegExp][] = [
      [join(home, 'cut.onnx'), scenarios, data.manifest, /cut\.onnx/],
      [join(home, 'odd.onnx'), scenarios, data.manifest, /label/],
      [join(home, 'nowhere.onnx'), scenarios, data.manifest, /nowhere\.onnx/],
      [model, ['--scenarios', 'blurr-background'], data.manifest, /did you mean blur-background/],
      [model, ['--scenarios', 'segmented'], withoutMasks, /mask/],
    ];
    const out = join(temporaryFolder(), 'run');
    const ran = await sceneshiftEach(
      wrong.map(([file, named, manifest]) => ['run', '--data', manifest, '--model', file, ...named, '--out', out]),
    );
    for (const [i, [, , , said]] of wrong.entries()) {
      const { status, stdout, stderr } = ran[i];
      expect(status, stderr).toBe(2);
      expect(stdout).toBe('');
      const lines = stderr.trim().split('\n');
      expect(lines.filter((line) => !line.startsWith('!'))).toEqual([expect.stringMatching(said)]);
    }
  });
});
