import { copyFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startSceneshift, temporaryFolder } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';

const preload = new URL('../support/slow-opening-preload.mjs', import.meta.url).href;

/** So many that a thread which opens it again and again is in the library nearly all the time. */
const layers = Array.from({ length: 40 }, (_, i) => ({ channels: 64, kernel: 3, stride: i < 3 ? 2 : 1 }));

/** A thread that is ended while the runtime opens a network in it takes the process with it, by an abort. */
describe('threads that still open a model, and are not needed', () => {
  let home: string;
  let slow: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-opening-'));
    await makeDataset(join(home, 'data'), { perClass: 1, width: 48, height: 48 });
    slow = join(home, 'slow.onnx');
    await writeFile(slow, plainNet({ sizePx: 48, layers, outputs: 3 }));
    await record(slow, ['disc', 'square', 'ring']);
    return () => rm(home, { recursive: true, force: true });
  });
  const record = (model: string, labels: string[]) =>
    writeFile(
      `${model}.json`,
      JSON.stringify({ labels, resize: { shortSide: 48 }, crop: 48, preprocessing: 'imagenet' }),
    );
  const run = (models: string[], memory = '') => {
    const folder = temporaryFolder();
    const args = [
      'run',
      '--data',
      'data/images',
      ...models.flatMap((model) => ['--model', model]),
      '--scenarios',
      'grey',
    ];
    return startSceneshift([...args, '--out', join(folder, 'run'), '--threads', '2', '--json'], {
      cwd: home,
      env: { NODE_OPTIONS: `--import ${preload}`, OPENING_FOLDER: folder, OPENING_MEMORY: memory },
    });
  };

  it('are waited for by a run that is refused', async () => {
    const strange = join(temporaryFolder(), 'slow.onnx');
    await writeFile(strange, plainNet({ sizePx: 48, layers, outputs: 4 }));
    await record(strange, ['cat', 'dog', 'bird', 'fish']);
    const { status, stderr } = await run([strange]);
    expect(stderr).not.toContain('native library');
    expect(stderr).toMatch(/^✗ .*disc/m);
    expect(status).toBe(2);
  });

  it('end by themselves where a second model leaves memory for fewer threads', async () => {
    const second = join(home, 'second.onnx');
    copyFileSync(slow, second);
    copyFileSync(`${slow}.json`, `${second}.json`);
    // Half of it holds two copies of one, at three times its file, and one copy of both.
    const { status, stdout, stderr } = await run([slow, second], String(12 * (await stat(slow)).size));
    expect(stderr).not.toContain('native library');
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ errors: 0 });
  });
});
