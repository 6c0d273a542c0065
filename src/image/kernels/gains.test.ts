import { describe, expect, it } from 'vitest';
import { begin, integers, put, singles, take } from './arena.ts';

const corner = 4;
const sizes = [
  [1, 1],
  [1, 7],
  [33, 17],
  [214, 133],
] as const;

function slopesOf(width: number, height: number): Float32Array {
  const longer = Math.max(width, height);
  return Float32Array.from({ length: width * height }, (_, i) => {
    const periods = Math.hypot((i % width) / (2 * width), Math.floor(i / width) / (2 * height)) * longer;
    return Math.log1p((periods / corner) ** 2) / 2;
  });
}

/** Numbers that the kernel does not leave to JavaScript, and how many it leaves. */
function compare(at: number, doubtful: number, doubts: number, expected: Float32Array) {
  const made = singles(at, expected.length);
  const left = new Set([...integers(doubtful, doubts)].flatMap((i) => [i, i + 1]));
  const wrong = [...expected.keys()].filter((i) => !left.has(i) && !Object.is(made[i], expected[i]));
  return { wrong, left: [...left].filter((i) => i < expected.length).length };
}

describe('gains and slopes', () => {
  it.each(sizes)("are JavaScript's own to the bit but for few that are left to it: %i × %i", (width, height) => {
    const slopes = slopesOf(width, height);
    const count = slopes.length;
    const { slopesFor, gainsFor } = begin();
    const [at, doubtful, given] = [take(4 * count), take(4 * count), put(slopes)];
    const logarithms = compare(
      at,
      doubtful,
      slopesFor(width, height, Math.max(width, height), corner, at, doubtful),
      slopes,
    );
    expect(logarithms.wrong).toEqual([]);
    expect(logarithms.left).toBeLessThan(2 + 0.01 * count);
    for (const s of [0, -0.3, 0.7, 3.123456, -7]) {
      const gains = slopes.map((slope) => Math.exp(s * slope));
      const exponentials = compare(at, doubtful, gainsFor(given, s, count, at, doubtful), gains);
      expect(exponentials.wrong).toEqual([]);
      expect(exponentials.left).toBeLessThan(2 + 0.01 * count);
    }
  });

  it('leaves to JavaScript what single numbers cannot hold', () => {
    const { gainsFor } = begin();
    const [given, at, doubtful] = [put(Float32Array.of(5, 5, -5, 0)), take(16), take(16)];
    expect(gainsFor(given, 20, 4, at, doubtful)).toBe(2);
    expect([...integers(doubtful, 2)]).toEqual([0, 2]);
  });
});
