import { describe, expect, it } from 'vitest';
import { blob, hash, largestDifference, picture } from '../../test/fixtures/image/picture.ts';
import { bytes, reference } from '../../test/fixtures/image/reference.ts';
import {
  addWeighted,
  applyTable,
  gammaTable,
  greyLevels,
  hsvToRgb,
  keepChannel,
  rgbToHsv,
  setHue,
  shiftHue,
  toGrey,
} from './colour.ts';
import { createRaster } from './raster.ts';
import { onBackground, onObject } from './region.ts';

const { colour } = reference;

/** Every 24-bit colour, as make.py lays them out. */
const cube = new Uint8Array(256 ** 3 * 3);
for (let i = 0; i < 256 ** 3; i++) {
  cube[i * 3] = i >> 16;
  cube[i * 3 + 1] = (i >> 8) & 255;
  cube[i * 3 + 2] = i & 255;
}

describe('all 16.7 million colours', () => {
  it('to HSV as OpenCV', () => expect(hash(rgbToHsv(cube))).toBe(colour.rgbToHsv));
  it('from HSV as OpenCV', () => expect(hash(hsvToRgb(cube))).toBe(colour.hsvToRgb));
  it('to grey as OpenCV', () => expect(hash(greyLevels(createRaster(4096, 4096, cube)))).toBe(colour.greyOpencv));
  it('to grey as Pillow', () =>
    expect(hash(greyLevels(createRaster(4096, 4096, cube), 'pillow'))).toBe(colour.greyPillow));
});

describe('hue', () => {
  const image = picture(64, 31, 12);
  const mask = blob(64, 31, 3);

  it('comes back from HSV within a level of OpenCV at row ends, where OpenCV rounds instead', () => {
    const out = hsvToRgb(picture(37, 29, 11).data);
    expect(largestDifference(out, bytes(colour.hsvToRgbTail))).toBe(1);
  });

  it('goes there and back as OpenCV, and swapped channels are told apart', () => {
    expect(hsvToRgb(rgbToHsv(image.data))).toEqual(bytes(colour.roundTrip));
    expect(largestDifference(hsvToRgb(rgbToHsv(image.data)), bytes(colour.roundTripBgr))).toBeGreaterThan(1);
  });

  it.each(colour.setHue as { hue: number; rgb: string }[])('set to $hue on the background', ({ hue, rgb }) => {
    expect(hash(setHue(image, onBackground(mask), hue).data)).toBe(rgb);
    expect(hash(setHue(image, onBackground(mask), hue + 90).data)).not.toBe(rgb);
    expect(hash(setHue(image, onObject(mask), hue).data)).not.toBe(rgb);
  });

  it.each(colour.shiftHue as { by: number; rgb: string }[])('shifted by $by on the background', ({ by, rgb }) => {
    expect(hash(shiftHue(image, onBackground(mask), by).data)).toBe(rgb);
    expect(hash(shiftHue(image, onBackground(mask), by - 360).data)).toBe(rgb);
    expect(hash(shiftHue(image, onBackground(mask), by + 7).data)).not.toBe(rgb);
  });

  it('on sizes that are no multiple of sixteen, touches the region alone', () => {
    const small = picture(7, 5);
    const region = blob(7, 5);
    const out = setHue(small, onBackground(region), 60);
    const all = setHue(small, undefined, 60);
    for (let i = 0; i < small.data.length; i++) {
      expect(out.data[i]).toBe((region.data[Math.floor(i / 3)] ? small : all).data[i]);
    }
  });
});

describe('levels', () => {
  const image = picture(64, 31, 12);

  it.each(colour.weighted as { a: number; b: number; c: number; rgb: string }[])('$a·x + $b·y + $c as OpenCV', (w) => {
    expect(hash(addWeighted(image, w.a, picture(64, 31, 13), w.b, w.c).data)).toBe(w.rgb);
  });

  it.each(colour.gamma as { gamma: number; rgb: string }[])('gamma $gamma', ({ gamma, rgb }) => {
    expect(hash(applyTable(image, undefined, gammaTable(gamma)).data)).toBe(rgb);
  });

  it('of one channel are kept, the others 0, on one side alone', () => {
    const mask = blob(64, 31);
    const out = keepChannel(image, onObject(mask), 1);
    const isInside = (k: number) => mask.data[Math.floor(k / 3)] !== 0;
    expect(out.data).toEqual(image.data.map((level, k) => (isInside(k) && k % 3 !== 1 ? 0 : level)));
  });

  it('are equal in all channels of a grey region', () => {
    const mask = blob(64, 31);
    const out = toGrey(image, onBackground(mask));
    const levels = greyLevels(image);
    const wanted = image.data.map((level, k) => (mask.data[Math.floor(k / 3)] ? level : levels[Math.floor(k / 3)]));
    expect(out.data).toEqual(wanted);
  });
});
