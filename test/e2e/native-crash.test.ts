import type { ChildProcess } from 'node:child_process';
import { appendFileSync, copyFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sceneshift, startSceneshift, temporaryFolder } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';
import { hasRedis, startRedis } from '../support/redis.ts';

const preload = new URL('../support/crash-preload.mjs', import.meta.url).href;
const env = { NODE_OPTIONS: `--import ${preload}` };
const bad = 'images/square/square_1.jpg';

/** A crash is a signal only on Unix; the statuses of Windows cannot be made on purpose here. */
describe.runIf(process.platform !== 'win32')('a crash inside a native library costs the file and a line', () => {
  let home: string;
  let manifest: string;
  let model: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-crash-'));
    const data = await makeDataset(join(home, 'data'), { perClass: 4, width: 48, height: 48 });
    manifest = data.manifest;
    appendFileSync(join(data.folder, bad), 'crash here');
    model = join(home, 'net.onnx');
    await writeFile(model, plainNet({ sizePx: 48, layers: [{ channels: 8, kernel: 5, stride: 4 }], outputs: 3 }));
    const record = { labels: ['disc', 'square', 'ring'], resize: { shortSide: 48 }, crop: 48 };
    await writeFile(`${model}.json`, JSON.stringify({ ...record, preprocessing: 'imagenet' }));
    return () => rm(home, { recursive: true, force: true });
  });
  const call = (args: string[]) => startSceneshift([...args, '--json'], { cwd: home, env });
  const runArgs = (out: string) => [
    ...['run', '--data', manifest, '--model', model, '--scenarios', 'original,grey,random-background'],
    ...['--out', out, '--threads', '2'],
  ];
  const errorsIn = async (folder: string) =>
    (await readFile(join(folder, 'errors.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const culprit = {
    sample: bad,
    file: expect.stringContaining(bad),
    problem: 'crashed',
    message: expect.stringContaining('SIGSEGV'),
  };

  it('of a run and the maps of it: everything else is answered', async () => {
    const out = join(temporaryFolder(), 'run');
    const { status, stdout, stderr } = await call(runArgs(out));
    expect(status, stderr).toBe(0);
    expect(stderr).toContain(`${bad} crashes a native library (SIGSEGV) also when tried alone; it is left out`);
    expect(JSON.parse(stdout).rows).toBe(4 * 11);
    expect(await errorsIn(out)).toEqual([expect.objectContaining(culprit)]);

    const explained = await call([
      ...['explain', out, '--samples', `${bad},images/disc/disc_0.jpg`, '--steps', '2'],
      ...['--threads', '1', '--max-errors', '0.5'],
    ]);
    expect(explained.status, explained.stderr).toBe(0);
    expect(JSON.parse(explained.stdout).rows).toHaveLength(4);
    expect(explained.stderr).toContain('it is left out');
  });

  it('of a rendering', async () => {
    const out = join(temporaryFolder(), 'rendered');
    const { status, stdout, stderr } = await call([
      ...['render', '--data', manifest, '--scenarios', 'original,grey', '--out', out, '--threads', '1'],
    ]);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ variants: 22, interrupted: false });
    expect(await errorsIn(out)).toEqual([expect.objectContaining(culprit)]);
  });

  it('of masks', async () => {
    const out = join(temporaryFolder(), 'masks');
    const { status, stdout, stderr } = await call(['mask', manifest, '--out', out, '--threads', '1']);
    expect(status, stderr).toBe(0);
    const { masks, errors } = JSON.parse(stdout);
    expect(masks).toHaveLength(11);
    expect(errors).toEqual([expect.objectContaining(culprit)]);
  });

  it('of training', async () => {
    const out = join(temporaryFolder(), 'trained');
    const args = ['train', '--data', manifest, '--backbone', model, '--scenarios', 'original,grey', '--folds', '2'];
    const { status, stdout, stderr } = await call([...args, '--out', out, '--threads', '1']);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ errors: 1 });
    expect(await errorsIn(out)).toEqual([expect.objectContaining(culprit)]);
  });

  it('of a check, which reads in the main thread', async () => {
    const { status, stdout, stderr } = await call(['dataset', 'check', manifest]);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      usable: 11,
      problems: [{ file: bad, problem: 'crashed', message: expect.stringContaining('SIGABRT') }],
    });
  });

  it.skipIf(!hasRedis)('of a worker: its chunk is done but for that, and its culprit named in the run', async () => {
    const redis = await startRedis();
    const out = join(home, 'by-worker');
    let workers: ChildProcess | undefined;
    try {
      const place = ['--queue', redis.url, '--root', home];
      const working = startSceneshift(['worker', ...place, '--threads', '1'], {
        cwd: home,
        env,
        onStart: (child) => {
          workers = child;
        },
      });
      const ran = await sceneshift([...runArgs(out), ...place, '--chunk', '8', '--no-report', '--json'], { cwd: home });
      expect(ran.status, ran.stderr).toBe(0);
      expect(JSON.parse(ran.stdout).rows).toBe(4 * 11);
      expect(await errorsIn(out)).toEqual([expect.objectContaining(culprit)]);
      workers?.kill('SIGTERM');
      const { stderr } = await working;
      expect(stderr).toContain(`${bad} crashes a native library (SIGSEGV) also when tried alone; it is left out`);
    } finally {
      workers?.kill('SIGKILL');
      await redis.stop();
    }
  });

  it('of a model: an error that names it', async () => {
    const folder = temporaryFolder();
    const crashing = join(folder, 'crash.onnx');
    copyFileSync(model, crashing);
    copyFileSync(`${model}.json`, `${crashing}.json`);
    const { status, stderr } = await call([...runArgs(join(folder, 'run')), '--model', crashing]);
    expect(status).toBe(1);
    expect(stderr).toContain(`✗ ${crashing}: a native library crashed (SIGABRT) while it was loaded and tried`);
  });
});
