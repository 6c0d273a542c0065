import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countTrainedOn, writeTrainedOn } from './trained-on.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-trained-on-'));
  for (const name of ['a', 'b', 'c', 'd']) await writeFile(join(home, name), `photograph ${name}`);
  await writeFile(join(home, 'copy of a'), 'photograph a');
});
afterAll(() => rm(home, { recursive: true, force: true }));
const at = (...names: string[]) => names.map((name) => join(home, name));

it('knows the photographs a head has seen, under whatever name, and no others', async () => {
  const model = join(home, 'head.onnx');
  expect(await countTrainedOn(model, at('a', 'b'))).toBe(0);
  await writeTrainedOn(model, at('a', 'b'));
  expect(await countTrainedOn(model, at('a', 'b', 'c'))).toBe(2);
  expect(await countTrainedOn(model, at('copy of a'))).toBe(1);
  expect(await countTrainedOn(model, at('c', 'd'))).toBe(0);
  expect(await countTrainedOn('vlm:http://localhost', at('a'))).toBe(0);
});
