import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPlane } from '../../src/contracts/annotate/plane.ts';
import { packRuns, toBase64 } from '../../src/contracts/annotate/runs.ts';
import type { AnnotateSaved, AnnotateTurn } from '../../src/contracts/studio/annotate.ts';
import { readDataset } from '../../src/dataset/index.ts';
import { loadMask } from '../../src/dataset/masks/load.ts';
import { area } from '../../src/image/mask-ops.ts';
import { makePictures } from '../support/annotate-folder.ts';
import { type StudioProcess, startStudioProcess } from '../support/studio.ts';

const kills = 8;
const [width, height] = [120, 90];
const names = ['mug/a.png', 'mug/b.png', 'ball/c.png'];

it(`SIGKILL in the middle of saves, ${kills} times: what was acknowledged is on disk, whole`, async () => {
  const home = await mkdtemp(join(tmpdir(), 'sceneshift-annotate-kill-'));
  await makePictures(join(home, 'photos'), names, width, height);
  const start = () => startStudioProcess([join(home, 'photos'), '--annotate'], { cwd: home });
  let studio: StudioProcess = await start();
  const api = () => studio.address.replace(/#\/annotate\/(.*)$/, 'api/annotate/$1');
  /** Picture → pixels of the mask that was acknowledged last, and of the one on its way. */
  const acknowledged = new Map<string, number>();
  const underWay = new Map<string, number>();
  let cut = 0;

  const turn = async (sample: string) =>
    (await (await fetch(`${api()}/turn?show=all&sample=${encodeURIComponent(sample)}`)).json()) as AnnotateTurn;
  /** A mask that is told by its size. */
  const runsOf = (pixels: number) => {
    const plane = createPlane(width, height);
    plane.data.fill(1, 0, pixels);
    return toBase64(packRuns(plane));
  };
  const save = async (sample: string, version: string, pixels: number) => {
    underWay.set(sample, pixels);
    const answer = await fetch(`${api()}/mask`, {
      method: 'PUT',
      headers: { 'if-match': version },
      body: JSON.stringify({ sample, objects: ['thing'], runs: runsOf(pixels) }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    acknowledged.set(sample, pixels);
    underWay.delete(sample);
    return ((await answer.json()) as AnnotateSaved).version;
  };
  /** On disk before anything is asked, and through the studio after. */
  const expectNothingLost = async () => {
    const possible = (sample: string) => [acknowledged.get(sample), underWay.get(sample)];
    const { samples } = await readDataset(join(home, 'photos'), { masks: join(home, 'photos-masks') });
    for (const { id, image, mask } of samples) {
      if (!acknowledged.has(id)) continue;
      if (!mask) throw new Error(`the mask of ${id} is gone`);
      const loaded = await loadMask(mask, { width, height, path: image });
      expect(area(loaded.mask)).toBeOneOf(possible(id));
    }
    const whole = await readDataset(join(home, 'photos-masks', 'manifest.jsonl'));
    for (const id of acknowledged.keys()) expect(whole.samples.find((sample) => sample.id === id)?.mask).toBeDefined();
    studio = await start();
    for (const id of acknowledged.keys()) {
      const found = await turn(id);
      expect(possible(id).flatMap((pixels) => (pixels === undefined ? [] : [runsOf(pixels)]))).toContain(found.runs);
      expect(found.note).toBeNull();
    }
  };

  try {
    for (let round = 0; round < kills; round++) {
      let saves = 0;
      let killed: Promise<unknown> | undefined;
      const wanted = 3 + (round % 4);
      await Promise.all(
        names.map(async (sample, n) => {
          let { version } = await turn(sample);
          for (let i = 0; !killed; i++) {
            try {
              version = await save(sample, version, 1000 + 3000 * n + 200 * round + i);
              if (++saves === wanted) {
                // The others' saves are under way.
                killed = once(studio.child, 'exit');
                studio.child.kill('SIGKILL');
              }
            } catch (error) {
              if (!killed) throw error;
              cut++;
            }
          }
        }),
      );
      await killed;
      await expectNothingLost();
      underWay.clear();
    }
    expect(cut).toBeGreaterThanOrEqual(kills);
    expect(acknowledged.size).toBe(names.length);
    await save(names[0], (await turn(names[0])).version, 500);
    expect(await studio.stop()).toBe(0);
    // Nothing half-written stays behind once a studio has ended well.
    expect((await readdir(join(home, 'photos-masks'))).filter((name) => name.startsWith('.'))).toEqual([]);
  } finally {
    studio.child.kill('SIGKILL');
    await rm(home, { recursive: true, force: true });
  }
});
