import { describe, expect, it } from 'vitest';
import { randomFor } from '../stats/random.ts';
import * as plain from './matrix.ts';
import { addWeightedRows, scoresOf, solveCholesky } from './products.ts';

const random = randomFor('products', 1);
const numbers = (count: number) => Float64Array.from({ length: count }, () => 4 * random.uniform() - 2);
/** Compared by their bits: −0 is not 0. */
const bits = ({ buffer, byteOffset, length }: Float64Array) => Buffer.from(buffer, byteOffset, length * 8);

/** Rows, columns, classes: twelve at a time, four, two and one, rows that are no multiple of four, odd columns. */
const shapes = [
  [180, 144, 12],
  [7, 6, 2],
  [9, 5, 3],
  [135, 133, 12],
  [3, 8, 4],
  [61, 30, 31],
  [4, 2, 1],
] as const;

describe.each(shapes)('%i rows, %i columns, %i classes', (n, r, c) => {
  const ends = Int32Array.from({ length: n }, (_, i) => Math.min(r, i + 1));
  const whole = numbers(n * r);
  const trapezoid = whole.map((value, i) => (i % r < ends[Math.floor(i / r)] ? value : 0));

  it.each([
    ['full', whole, undefined],
    ['trapezoid', trapezoid, ends],
  ] as const)('products of a %s matrix are those of the plain loops to the bit', (_, z, zeroFrom) => {
    const shape = { n, r, c, ends: zeroFrom };
    const v = numbers(c * r + c);
    expect(bits(scoresOf(z, v, shape)).equals(bits(plain.scoresOf(z, v, shape)))).toBe(true);
    const residual = numbers(n * c);
    const [one, other] = [new Float64Array(c * r + c), new Float64Array(c * r + c)];
    for (let round = 0; round < 2; round++) {
      addWeightedRows(residual, z, shape, one);
      plain.addWeightedRows(residual, z, shape, other);
    }
    expect(bits(one).equals(bits(other))).toBe(true);
  });

  it('solves as the plain loops do to the bit', () => {
    const factor = plain.gramOfColumns(whole, n, r, new Int32Array(n).fill(r));
    for (let i = 0; i < r; i++) factor[i * r + i] += 1;
    expect(plain.choleskyInPlace(factor, r)).toBe(true);
    plain.mirror(factor, r);
    const [one, other] = [numbers(c * r)].flatMap((b) => [b, b.slice()]);
    solveCholesky(factor, r, one, c);
    plain.solveCholesky(factor, r, other, c);
    expect(bits(one).equals(bits(other))).toBe(true);
  });
});
