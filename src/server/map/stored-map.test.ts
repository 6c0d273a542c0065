import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunColumns } from '../../contracts/explore/columns.ts';
import { writeCache } from '../cache-folder.ts';
import { mapName, readMap, writeMap } from './stored-map.ts';

const before = process.env.XDG_CACHE_HOME;
beforeAll(async () => {
  process.env.XDG_CACHE_HOME = await mkdtemp(join(tmpdir(), 'sceneshift-map-'));
});
afterAll(async () => {
  await rm(process.env.XDG_CACHE_HOME as string, { recursive: true, force: true });
  if (before === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = before;
});

const columns = (samples: string[]) =>
  ({
    samples,
    scenarios: ['original', 'grey'],
    variantSample: Uint32Array.from([0, 0, 1, 1]),
    variantScenario: Uint32Array.from([0, 1, 0, 1]),
  }) as unknown as RunColumns;
const map = {
  layer: 'pool',
  variants: Uint32Array.from([0, 1, 3]),
  x: Float32Array.from([0.5, -1.25, 3]),
  y: Float32Array.from([1, 2, 3]),
  cluster: Int32Array.from([0, 1, 0]),
};

it('a map is found again for the same answers and network, and for no others', async () => {
  const own = columns(['a', 'b']);
  const name = await mapName(own, 'net.onnx');
  await writeMap(name, map);
  expect(await readMap(name, own)).toEqual(map);
  expect(await mapName(columns(['a', 'c']), 'net.onnx')).not.toBe(name);
  expect(await mapName(own, 'other.onnx')).not.toBe(name);
});

it('one that is damaged, or of more variants than there are, counts as none', async () => {
  const own = columns(['a', 'b']);
  for (const text of [
    '{',
    '{"layer":"x"}',
    JSON.stringify({ layer: '', variants: [9], x: [0], y: [0], cluster: [0] }),
  ]) {
    await writeCache('map-damaged.json', text);
    expect(await readMap('map-damaged.json', own)).toBeUndefined();
  }
});
