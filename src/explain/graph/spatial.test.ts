import { describe, expect, it } from 'vitest';
import { channelMaps, spatialOf } from './spatial.ts';

const picture = { width: 224, height: 224 };

describe('spatialOf', () => {
  it('knows maps with channels first and last, and tokens with and without others before them', () => {
    expect(spatialOf([1, 1280, 7, 7], picture)).toMatchObject({ layout: 'NCHW', width: 7, channels: 1280 });
    expect(spatialOf([1, 7, 7, 768], picture)).toMatchObject({ layout: 'NHWC', width: 7, channels: 768 });
    expect(spatialOf([1, 197, 768], picture)).toMatchObject({ layout: 'tokens', width: 14, height: 14, prefix: 1 });
    expect(spatialOf([1, 49, 768], picture)).toMatchObject({ layout: 'tokens', width: 7, prefix: 0 });
    expect(spatialOf([1, 256, 10, 7], { width: 224, height: 320 })).toMatchObject({ width: 7, height: 10 });
  });

  it('takes no vector, no attention and no pooled value for a map', () => {
    for (const dims of [
      [1, 1000],
      [1, 1280, 1, 1],
      [1, 12, 197, 64],
      [1, 12, 197, 197],
      [1, 77, 512],
      [8, 49, 96],
    ])
      expect(spatialOf(dims, picture), String(dims)).toBeUndefined();
  });

  it('reads each channel as a map, tokens before it left out', () => {
    const tokens = { layout: 'tokens', width: 2, height: 1, channels: 2, prefix: 1 } as const;
    expect(channelMaps(Float32Array.of(9, 9, 1, 2, 3, 4), tokens).map((map) => [...map])).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });
});
