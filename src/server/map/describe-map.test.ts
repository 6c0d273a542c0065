import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeRunFolder } from '../../../test/support/run-folder.ts';
import { readColumns } from '../columns-reader.ts';
import { describeMap } from './describe-map.ts';

it('a cluster’s number stands at one of its points, where most of them are', async () => {
  const home = await mkdtemp(join(tmpdir(), 'sceneshift-map-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  await makeRunFolder(home, { perClass: 4 });
  const columns = await readColumns(home);
  const variants = Uint32Array.from({ length: 9 }, (_, i) => i);
  // The first cluster in two pieces: its mean, 4, is nobody's place.
  const x = Float32Array.from([0, 0, 0, 10, 10, 20, 21, 22, 23]);
  const y = Float32Array.from([1, 1, 1, 5, 5, 7, 7, 7, 7]);
  const built = { layer: 'features', variants, x, y, cluster: Int32Array.from([0, 0, 0, 0, 0, 1, 1, 1, 1]) };
  const { clusters } = describeMap(columns, 'net', built);
  const places = Object.fromEntries(clusters.map((cluster) => [cluster.id, [cluster.x, cluster.y]]));
  expect(places).toEqual({ 1: [0, 1], 2: [22, 7] });
});
