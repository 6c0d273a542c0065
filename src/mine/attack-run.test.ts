import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataset } from '../../test/support/dataset.ts';
import { plainNet } from '../../test/support/onnx.ts';
import { configSchema } from '../contracts/config.ts';
import { lockFolder } from '../run/folder/index.ts';
import { type Inputs, openInputs } from '../run/inputs.ts';
import { attackModels } from './attack-run.ts';

let home: string;
let inputs: Inputs;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-attack-'));
  const { manifest } = await makeDataset(join(home, 'data'), { perClass: 2, width: 48, height: 48 });
  const model = join(home, 'network.onnx');
  await writeFile(model, plainNet({ sizePx: 48, layers: [{ channels: 8, kernel: 5, stride: 2 }], outputs: 3 }));
  inputs = await openInputs(configSchema.parse({ data: manifest, models: [model], threads: 1 }), { version: 'test' });
});
afterAll(() => rm(home, { recursive: true, force: true }));

const attack = (run: string, signal?: AbortSignal, onProgress?: () => void) =>
  attackModels(inputs, { run, pictures: 4, queries: 5, epsilon: 8, seed: 0, signal, onProgress });

describe('an attack', () => {
  it('that is interrupted says so, never sums up a part, and goes on from there', async () => {
    const run = join(home, 'interrupted');
    const controller = new AbortController();
    await expect(attack(run, controller.signal, () => controller.abort())).rejects.toMatchObject({
      message: 'Interrupted; the same command goes on from here',
      exitCode: 130,
    });
    expect(await readdir(join(run, 'attack'))).toHaveLength(1);
    expect(await attack(run)).toEqual(await attack(join(home, 'undisturbed')));
  });

  it('has the run to itself and leaves nothing half made', async () => {
    const run = join(home, 'locked');
    const lock = await lockFolder(run);
    await expect(attack(run)).rejects.toThrow(/is being written to by process/);
    await lock.release();
    await attack(run);
    expect(existsSync(join(run, '.partial'))).toBe(false);
  });
});
