import { describe, expect, it } from 'vitest';
import { createMask, type Mask, type Raster } from '../image/raster.ts';
import { cover } from './cover.ts';
import { drawExample } from './gallery/example.ts';
import { parseScenario, parseScenarioList } from './name.ts';
import { promiseOf, scenarios } from './registry.ts';
import { applyScenario, createSceneSource, type ScenePool } from './scene.ts';

const photographs = [1, 2, 3, 4].map((seed) => drawExample({ width: 64, height: 48, seed }));
const pool: ScenePool = {
  background: async (random, _sample, width, height) => cover(random.pick(photographs).image, width, height),
  other: async (random) => random.pick(photographs),
  paint: async () => photographs[3].image,
  generated: async () => photographs[3].image,
};
const [{ image, mask: part }] = photographs;
/** A scratch that starts on the part and runs out of it. */
const scratch = (x: number, y: number) => y >= 20 && y < 23 && x >= 26 && x < 60;
const defect = createMask(
  64,
  48,
  Uint8Array.from({ length: 64 * 48 }, (_, i) => (scratch(i % 64, Math.floor(i / 64)) ? 255 : 0)),
);
/** As `loadPhotograph` gives it: the part with its defect. */
const both: Mask = { ...part, data: part.data.map((value, i) => value | defect.data[i]) };

const edit = async (name: string, masks: { mask?: Mask; protect?: Mask }) => {
  const named = parseScenario(name);
  const source = createSceneSource({ sample: { id: 'a', label: 'x' }, image, ...masks, seed: 7, pool });
  return applyScenario(named.scenario, source.scene(named.name), named.params);
};
const changed = (a: Raster, b: Raster, where: (i: number) => boolean) => {
  let count = 0;
  for (let i = 0; i < a.width * a.height; i++)
    if (where(i) && [0, 1, 2].some((c) => a.data[3 * i + c] !== b.data[3 * i + c])) count++;
  return count;
};

const all = [
  ...new Set([
    ...scenarios.map(({ id }) => id),
    ...scenarios.filter(({ params }) => 'region' in params).map(({ id }) => `${id}:region=object`),
    ...parseScenarioList('industrial').map(({ name }) => name),
  ]),
].filter((name) => {
  const { scenario, params } = parseScenario(name);
  return promiseOf(scenario, params) !== 'moved';
});

describe('protected pixels', () => {
  it.each(all)('%s leaves them as they are', async (name) => {
    const made = await edit(name, { mask: both, protect: defect });
    expect(changed(made.image, image, (i) => defect.data[i] === 255)).toBe(0);
    // Everything else is what it would be without protection.
    const free = await edit(name, { mask: both });
    expect(changed(made.image, free.image, (i) => defect.data[i] === 0)).toBe(0);
    if (made.alpha) expect(defect.data.every((value, i) => !value || made.alpha?.[i] === 255)).toBe(true);
  });

  it('move with the camera, their mask with them', async () => {
    // A quarter of 64 and of 48 pixels: whole pixels, so nothing is interpolated.
    const { image: moved, mask } = await edit('camera-shift:x=0.25+y=0.25+rotation=0+pan=0+tilt=0', {
      mask: defect,
      protect: defect,
    });
    let seen = 0;
    for (let y = 0; y < 48; y++)
      for (let x = 0; x < 64; x++) {
        const [from, to] = [y * 64 + x, (y + 12) * 64 + x + 16];
        if (!scratch(x, y) || x + 16 >= 64 || y + 12 >= 48) continue;
        seen++;
        expect(mask?.data[to]).toBe(255);
        for (let c = 0; c < 3; c++) expect(moved.data[3 * to + c]).toBe(image.data[3 * from + c]);
      }
    expect(seen).toBe(3 * 22);
    // The whole picture went along: the old place shows what was beside it, not the defect pasted back.
    const expected = await edit('camera-shift:x=0.25+y=0.25+rotation=0+pan=0+tilt=0', { mask: defect });
    expect(Buffer.compare(moved.data, expected.image.data)).toBe(0);
  });

  it.each(parseScenarioList('industrial').map(({ name }) => name))(
    '%s works on a good part, without any mask',
    async (name) => {
      const { image: out, mask } = await edit(name, {});
      expect([out.width, out.height, mask]).toEqual([64, 48, undefined]);
      expect(changed(out, image, () => true) > 0).toBe(name !== 'original');
    },
  );
});
