import { describe, expect, it } from 'vitest';
import { hash, picture } from '../../../test/fixtures/image/picture.ts';
import { gaussianBlur } from '../blur.ts';
import { resize } from '../resize.ts';
import { begin, get, kernels, look, put, take } from './arena.ts';

describe('the kernels’ memory', () => {
  it('is used again and does not grow with the number of operations', () => {
    const image = picture(200, 150);
    const before = hash(gaussianBlur(image, { kernel: 15, sigma: 3 }).data);
    const size = kernels().memory.buffer.byteLength;
    for (let i = 0; i < 50; i++) gaussianBlur(image, { kernel: 15, sigma: 3 });
    expect(kernels().memory.buffer.byteLength).toBe(size);
    expect(hash(gaussianBlur(image, { kernel: 15, sigma: 3 }).data)).toBe(before);
  });

  it('grows for a larger picture, results before and after alike', () => {
    // After a huge block a new instance takes over, however much other tests have had before.
    begin();
    take(300 * 1024 * 1024);
    begin();
    const image = picture(40, 30);
    const before = resize(image, 80, 60, 'bicubic');
    const size = kernels().memory.buffer.byteLength;
    resize(image, 2500, 1500, 'bilinear');
    expect(kernels().memory.buffer.byteLength).toBeGreaterThan(size);
    expect(resize(image, 80, 60, 'bicubic')).toEqual(before);
  });

  it('is given back after a huge picture', () => {
    begin();
    take(300 * 1024 * 1024);
    expect(kernels().memory.buffer.byteLength).toBeGreaterThan(300e6);
    begin();
    expect(kernels().memory.buffer.byteLength).toBeLessThan(1e6);
  });

  it('gives copies away, never views of itself', () => {
    begin();
    const at = put(Uint8Array.of(1, 2, 3));
    const copy = get(at, 3);
    look(at, 3).fill(9);
    expect([...copy]).toEqual([1, 2, 3]);
    expect(copy.buffer.byteLength).toBe(3);
  });

  it('keeps blocks apart', () => {
    begin();
    const first = take(100);
    const second = take(100);
    expect(second - first).toBeGreaterThanOrEqual(164);
    expect(first % 16).toBe(0);
  });
});
