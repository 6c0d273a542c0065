import { cpSync, mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PaintOrder } from '../contracts/painting.ts';
import type { Sample } from '../contracts/sample.ts';
import { erode } from '../image/mask-ops.ts';
import { createMask, type Mask, type Raster } from '../image/raster.ts';
import { describeModel } from '../models/open.ts';
import { blendPainted } from '../scenarios/blend-painted.ts';
import { drawExample } from '../scenarios/gallery/example.ts';
import { createPainter, paintingIdentity } from './painter.ts';
import type { PaintingOptions } from './painting-options.ts';
import { openSurrogate } from './surrogate.ts';

const fixtures = fileURLToPath(new URL('../../test/fixtures/', import.meta.url));
const { image, mask } = drawExample({ width: 72, height: 56, seed: 1 });
const sample: Sample = { id: 'a/one.jpg', image: 'one.jpg', label: 'a', targets: [1] };
const order: PaintOrder = { image, keep: mask, prompt: 'a beach', strength: 1, lambda: 0, noise: 'test' };

let painting: PaintingOptions;
beforeAll(() => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'painted-'));
  painting = { model: join(fixtures, 'diffusion/sd15'), steps: 2, guidance: 2, cacheDir };
});
const cached = () =>
  readdirSync(painting.cacheDir as string, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const bytes = (picture: Raster) => Buffer.from(picture.data).toString('base64');

describe('the painter', () => {
  it('paints once and finds it again; a damaged file is painted anew', async () => {
    const first = await createPainter(painting).paint(order, sample, 0);
    expect([first.width, first.height]).toEqual([72, 56]);
    const [file, ...others] = cached();
    expect(others).toEqual([]);
    const marked = new Date('2020-01-01');
    utimesSync(file, marked, marked);
    const again = await createPainter(painting).paint(order, sample, 0);
    expect(bytes(again)).toBe(bytes(first));
    expect(statSync(file).mtime.getFullYear()).toBe(2020);
    writeFileSync(file, readFileSync(file).subarray(0, 40));
    expect(bytes(await createPainter(painting).paint(order, sample, 0))).toBe(bytes(first));
    expect(statSync(file).size).toBeGreaterThan(40);
  });

  it('gives another picture for everything that decides it', async () => {
    const painter = createPainter(painting);
    const pictures = [
      await painter.paint(order, sample, 0),
      await painter.paint(order, sample, 1),
      await painter.paint(order, { ...sample, id: 'a/two.jpg' }, 0),
      await painter.paint({ ...order, prompt: 'a forest' }, sample, 0),
      await painter.paint({ ...order, noise: 'other' }, sample, 0),
      await painter.paint({ ...order, strength: 0.5 }, sample, 0),
      await painter.paint({ ...order, lambda: 20 }, sample, 0),
      await createPainter({ ...painting, steps: 3 }).paint(order, sample, 0),
    ];
    expect(new Set(pictures.map(bytes)).size).toBe(pictures.length);
    const names = await Promise.all(
      [{}, { steps: 3 }, { scheduler: 'euler' }].map((change) => paintingIdentity({ ...painting, ...change })),
    );
    expect(new Set(names.map((name) => JSON.stringify(name))).size).toBe(3);
  });

  it('searches the background the surrogate believes least before, the plain one among them', async () => {
    const spec = join(fixtures, 'models/nchw.onnx');
    const surrogate = { spec, description: await describeModel(spec) };
    const options = { ...painting, surrogate };
    const painter = createPainter(options);
    const found = await painter.paint({ ...order, adversarial: { queries: 5 } }, sample, 0);
    const plain = await painter.paint(order, sample, 0);
    const judge = await openSurrogate(options);
    const believe = async (picture: Raster) => (await judge.believe([blendPainted(image, mask, picture)], sample))[0];
    const more = await painter.paint({ ...order, adversarial: { queries: 2 } }, sample, 0);
    expect(await believe(found)).toBeLessThan(await believe(plain));
    expect(await believe(found)).toBeLessThanOrEqual(await believe(more));
    await expect(createPainter(painting).paint({ ...order, adversarial: { queries: 2 } }, sample, 0)).rejects.toThrow(
      /needs a surrogate model to be searched against; give a --model/,
    );
  });
});

describe('a painted background', () => {
  it('leaves the object as it is, to the bit', async () => {
    const painted = await createPainter(painting).paint(order, sample, 0);
    const blended = blendPainted(image, mask, painted);
    expect(differing(blended, image, mask, 255)).toBe(0);
    expect(differing(blended, image, mask, 0)).toBeGreaterThan(0.9);
  });

  it('mixes an uncertain edge by its matte and leaves sure pixels to the bit', () => {
    const rim = erode(mask, { radius: 3 });
    const ignore = mask.data.map((value, i) => (value && !rim.data[i] ? 255 : 0));
    const trimap: Mask = { ...mask, ignore, edges: 'matte' };
    const painted = { ...image, data: new Uint8Array(image.data.length).fill(200) };
    const blended = blendPainted(image, trimap, painted);
    expect(differing(blended, image, rim, 255)).toBe(0);
    const band = createMask(mask.width, mask.height, ignore);
    expect(differing(blended, blendPainted(image, mask, painted), band, 255)).toBeGreaterThan(0.2);
  });

  it('takes on the light of the object at its edge, and only there', () => {
    // The painting is right but for a cast of six levels, as an autoencoder leaves it.
    const cast = { ...image, data: image.data.map((level) => Math.max(0, level - 6)) };
    const blended = blendPainted(image, mask, cast);
    const ring = createMask(
      72,
      56,
      mask.data.map((value, i) => (value ? 0 : mask.data[i + 1] || mask.data[i - 1] ? 255 : 0)),
    );
    expect(meanGap(blended, image, ring)).toBeLessThan(2);
    const corner = createMask(
      72,
      56,
      mask.data.map((_, i) => (i % 72 < 4 && i < 72 * 4 ? 255 : 0)),
    );
    expect(meanGap(blended, image, corner)).toBeGreaterThan(4);
  });
});

/** Share of one side's pixels whose colour is not the same. */
function differing(a: Raster, b: Raster, of: Mask, side: number): number {
  const pixels = [...of.data.keys()].filter((i) => of.data[i] === side);
  const changed = pixels.filter((i) => [0, 1, 2].some((c) => a.data[3 * i + c] !== b.data[3 * i + c]));
  return changed.length / pixels.length;
}

function meanGap(a: Raster, b: Raster, of: Mask): number {
  const gaps = [...of.data.keys()]
    .filter((i) => of.data[i])
    .flatMap((i) => [0, 1, 2].map((c) => Math.abs(a.data[3 * i + c] - b.data[3 * i + c])));
  return gaps.reduce((x, y) => x + y, 0) / gaps.length;
}

it('is painted by the folder as it is now', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'model-'));
  cpSync(join(fixtures, 'diffusion/sd15'), copy, { recursive: true });
  const before = await paintingIdentity({ model: copy });
  cpSync(join(fixtures, 'diffusion/sd21-v/unet'), join(copy, 'unet'), { recursive: true });
  expect((await paintingIdentity({ model: copy })).hash).not.toBe(before.hash);
});
