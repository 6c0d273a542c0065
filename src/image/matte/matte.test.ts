import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytes } from '../../../test/fixtures/image/reference.ts';
import { createMask, createRaster, type Mask } from '../raster.ts';
import { resize, resizePlane } from '../resize.ts';
import { solveAlpha } from './closed-form.ts';
import { estimateMatte, hasUncertainEdge, layOver } from './matte.ts';

const fixture = JSON.parse(readFileSync(new URL('../../../test/fixtures/matte/matte.json', import.meta.url), 'utf8'));
const { width, height } = fixture as { width: number; height: number };
const image = createRaster(width, height, bytes(fixture.image));
const trimap = bytes(fixture.trimap);
const shares = (text: string) => {
  const data = bytes(text);
  return Float64Array.from(new Uint16Array(data.slice().buffer), (value) => value / 65535);
};
const truth = shares(fixture.truth);
const front = bytes(fixture.front);
const mask: Mask = {
  ...createMask(
    width,
    height,
    trimap.map((value) => (value >= 128 ? 255 : 0)),
  ),
  ignore: trimap.map((value) => (value === 128 ? 255 : 0)),
  edges: 'matte',
};
const band = [...trimap.keys()].filter((i) => trimap[i] === 128);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('solveAlpha', () => {
  it("is SciPy's direct solution of the closed form", () => {
    const expected = shares(fixture.alpha);
    const alpha = Float64Array.from(mask.data, (value) => value / 255);
    solveAlpha(image, alpha, mask.ignore as Uint8Array, { tolerance: 1e-6, iterations: 2000 });
    // The clipping at 0 and 1 and the 16 bits of the fixture leave 1e-5; single-precision weights the rest.
    for (let i = 0; i < alpha.length; i++) expect(Math.abs(alpha[i] - expected[i])).toBeLessThan(2e-3);
    const rough = Float64Array.from(mask.data, (value) => value / 255);
    solveAlpha(image, rough, mask.ignore as Uint8Array);
    expect(mean(band.map((i) => Math.abs(rough[i] - expected[i])))).toBeLessThan(0.01);
  });
});

describe('estimateMatte', () => {
  const matte = estimateMatte(image, mask);
  if (!matte) throw new Error('there is a matte');

  it('leaves sure pixels as they are, to the bit', () => {
    for (let i = 0; i < trimap.length; i++) {
      if (trimap[i] === 128) continue;
      expect(matte.alpha[i]).toBe(trimap[i]);
      expect(matte.colour.data.subarray(i * 3, i * 3 + 3)).toEqual(image.data.subarray(i * 3, i * 3 + 3));
    }
  });

  it("finds coverage and the object's own colour", () => {
    expect(mean(band.map((i) => Math.abs(matte.alpha[i] / 255 - truth[i])))).toBeLessThan(0.06);
    const covered = band.filter((i) => truth[i] > 0.2 && truth[i] < 0.95);
    const off = (data: Uint8Array) =>
      mean(covered.flatMap((i) => [0, 1, 2].map((c) => Math.abs(data[i * 3 + c] - front[i * 3 + c]))));
    expect(off(matte.colour.data)).toBeLessThan(0.4 * off(image.data));
  });

  it('takes the rim of the old scene off a pasted object', () => {
    const green = createRaster(width, height);
    for (let i = 0; i < width * height; i++) green.data.set([20, 200, 30], i * 3);
    const ideal = Uint8Array.from(green.data, (under, k) => {
      const a = truth[Math.floor(k / 3)];
      return Math.round(a * front[k] + (1 - a) * under);
    });
    const off = (data: Uint8Array) =>
      mean(band.flatMap((i) => [0, 1, 2].map((c) => Math.abs(data[i * 3 + c] - ideal[i * 3 + c]))));
    const pasted = layOver(matte, green);
    const hard = green.data.map((under, k) => (mask.data[Math.floor(k / 3)] ? image.data[k] : under));
    expect(off(pasted.data)).toBeLessThan(0.2 * off(hard));
  });

  it('takes the levels of a soft mask as they are', () => {
    const soft = truth.map((a) => Math.round(a * 255));
    const given: Mask = {
      ...createMask(
        width,
        height,
        Uint8Array.from(soft, (level) => (level >= 128 ? 255 : 0)),
      ),
      soft: Uint8Array.from(soft),
      edges: 'matte',
    };
    const made = estimateMatte(image, given);
    const middle = [...soft.keys()].filter((i) => soft[i] > 20 && soft[i] < 235);
    for (const i of middle) expect(made?.alpha[i]).toBe(soft[i]);
    // Compression noise about black and white is no coverage.
    const noise = [...soft.keys()].filter((i) => soft[i] <= 16);
    for (const i of noise) expect(made?.alpha[i]).toBe(0);
  });

  it('works on large pictures at a bounded size', () => {
    const factor = 14;
    const [w, h] = [width * factor, height * factor];
    const large = resize(image, w, h, 'bicubic');
    const enlarged = (data: Uint8Array) => resizePlane({ width, height, data }, 1, w, h, 'nearest');
    const given: Mask = { ...createMask(w, h, enlarged(mask.data)), ignore: enlarged(mask.ignore as Uint8Array) };
    const made = estimateMatte(large, { ...given, edges: 'matte' });
    const wide = [...given.data.keys()].filter((i) => given.ignore?.[i]);
    expect(wide.length).toBeGreaterThan(100_000);
    const at = (i: number) => Math.floor(Math.floor(i / w) / factor) * width + Math.floor((i % w) / factor);
    expect(mean(wide.map((i) => Math.abs((made?.alpha[i] ?? 0) / 255 - truth[at(i)])))).toBeLessThan(0.1);
    // What it was while all of it was done in JavaScript.
    const sum = createHash('sha256')
      .update(made?.alpha ?? '')
      .update(made?.colour.data ?? '');
    expect(sum.digest('hex').slice(0, 16)).toBe('eaaef5a6b6fcc483');
  });

  it('has nothing to go by without a sure object or a sure background', () => {
    const all = mask.data.map(() => 255);
    expect(estimateMatte(image, { ...mask, ignore: all })).toBeUndefined();
    expect(hasUncertainEdge({ ...mask, edges: undefined })).toBe(false);
    expect(hasUncertainEdge(createMask(width, height))).toBe(false);
  });

  it('is to the bit what plain arithmetic in double precision gave, before there were kernels', () => {
    const made = createHash('sha256').update(matte.alpha).update(matte.colour.data).digest('hex');
    expect(made.slice(0, 16)).toBe('846f840db338c884');
    const under = createRaster(width, height, new Uint8Array(width * height * 3).fill(77));
    const plain = under.data.map((level, k) => {
      const a = matte.alpha[Math.floor(k / 3)];
      return a === 255 ? matte.colour.data[k] : Math.round((a * matte.colour.data[k] + (255 - a) * level) / 255);
    });
    expect(layOver(matte, under).data).toEqual(plain);
  });

  it('gives the same each time', () => {
    expect(estimateMatte(image, mask)).toEqual(matte);
  });
});
