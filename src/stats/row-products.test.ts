import { expect, it } from 'vitest';
import { randomFor } from './random.ts';
import { rowProducts } from './row-products.ts';

it.each([0, 1, 3, 4, 5, 8, 11])('gives the bits of each row by itself, %i rows', (count) => {
  const random = randomFor('rows', count);
  const numbers = () => Float64Array.from({ length: 101 }, () => random.normal() * 10 ** random.integer(-8, 8));
  const rows = Array.from({ length: count }, numbers);
  const values = numbers();
  const alone = rows.map((row) => row.reduce((sum, entry, i) => sum + entry * values[i], 0));
  expect(Array.from(rowProducts(rows, values))).toEqual(alone);
});
