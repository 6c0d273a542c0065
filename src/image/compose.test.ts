import { describe, expect, it } from 'vitest';
import { blob, picture } from '../../test/fixtures/image/picture.ts';
import { compose, fillRegion, invertMask, replaceRegion } from './compose.ts';
import { createMask } from './raster.ts';
import { onBackground, onObject } from './region.ts';

const sizes = [
  [64, 31],
  [7, 5],
  [1, 1],
  [17, 16],
] as const;

describe('compose', () => {
  it.each(sizes)('takes the object where the mask is set, at %i × %i', (width, height) => {
    const [object, background, mask] = [picture(width, height, 1), picture(width, height, 2), blob(width, height)];
    const { data } = compose(object, background, mask);
    expect(data).toEqual(data.map((_, i) => (mask.data[Math.floor(i / 3)] ? object : background).data[i]));
    expect(data).toHaveLength(3 * width * height);
    expect(replaceRegion(object, background, onBackground(mask)).data).toEqual(data);
    expect(compose(background, object, invertMask(mask)).data).toEqual(data);
  });

  it('with a full or an empty mask is one of the two', () => {
    const [a, b] = [picture(20, 9, 1), picture(20, 9, 2)];
    expect(compose(a, b, createMask(20, 9))).toEqual(b);
    expect(compose(a, b, invertMask(createMask(20, 9)))).toEqual(a);
  });

  it('refuses what does not fit', () => {
    expect(() => compose(picture(4, 4), picture(4, 5), blob(4, 4))).toThrow('4×5 and 4×4 do not fit');
    expect(() => compose(picture(4, 4), picture(4, 4), blob(4, 5))).toThrow('A mask of 4×5 does not fit');
  });

  it('changes neither of its pictures', () => {
    const [a, b] = [picture(20, 9, 1), picture(20, 9, 2)];
    compose(a, b, blob(20, 9));
    expect([a, b]).toEqual([picture(20, 9, 1), picture(20, 9, 2)]);
  });
});

describe('fillRegion', () => {
  it.each(sizes)('paints one side, at %i × %i', (width, height) => {
    const [image, mask] = [picture(width, height), blob(width, height)];
    const { data } = fillRegion(image, onObject(mask), [1, 2, 3]);
    expect(data).toEqual(image.data.map((level, i) => (mask.data[Math.floor(i / 3)] ? 1 + (i % 3) : level)));
  });
});

describe('invertMask', () => {
  it('twice is nothing, and what is unknown stays', () => {
    const mask = { ...blob(7, 5), ignore: blob(7, 5, 2).data };
    expect(invertMask(invertMask(mask))).toEqual(mask);
    expect(invertMask(mask).data.every((v, i) => v === 255 - mask.data[i])).toBe(true);
  });
});
