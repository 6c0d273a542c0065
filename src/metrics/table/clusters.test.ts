import { expect, it } from 'vitest';
import { tableFrom } from '../analyze/table.ts';
import { clustersOf } from './predictions.ts';

/** As a run is read: words are numbered by the alphabet, rows are as threads wrote them. */
const column = (words: readonly string[]) => {
  const levels = [...new Set(words)].sort();
  return { codes: Uint32Array.from(words, (word) => levels.indexOf(word)), levels };
};

it('clusters have the same numbers in whatever order the rows were written', () => {
  const rows = [
    ['a', ''],
    ['b', 'street'],
    ['c', 'lawn'],
    ['d', 'street'],
    ['e', ''],
  ] as const;
  const numbersOf = (order: readonly number[]) => {
    const written = order.map((at) => rows[at]);
    const sample = column(written.map(([name]) => name));
    const group = column(written.map(([, name]) => name));
    const { codes, count, by } = clustersOf(tableFrom({ sample, group }), sample);
    expect([count, by]).toEqual([4, 'group']);
    return Object.fromEntries(written.map(([name], row) => [name, codes[row]]));
  };
  expect(numbersOf([4, 3, 2, 1, 0])).toEqual(numbersOf([0, 1, 2, 3, 4]));
  expect(numbersOf([2, 0, 4, 1, 3])).toEqual(numbersOf([0, 1, 2, 3, 4]));
});
