import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  countedOf,
  equalsP,
  fixedOf,
  hundredthsOf,
  levelOf,
  percentOf,
  pointsOf,
  probabilityOf,
  rangeOf,
  signedHundredthsOf,
  signedOf,
  significantOf,
  smallOf,
  withRangeOf,
} from './numbers.ts';

it('a zero has no sign, and minus is the character for it', () => {
  expect([-0.04, -0.06, 0.06, 0].map((value) => fixedOf(value, 1))).toEqual(['0.0', '−0.1', '0.1', '0.0']);
  expect([-0.04, -0.06, 0.04, 0.06, null].map((value) => signedOf(value, 1))).toEqual([
    '0.0',
    '−0.1',
    '0.0',
    '+0.1',
    '–',
  ]);
  expect(signedHundredthsOf(-0.0123)).toBe('−1.2');
});

it('four significant digits and no stray zeros', () => {
  expect(
    [0, 0.86423, -0.0066666, 38.6211, 12345.6, 997300, 1.5e9, 2.34567e-7, null].map((value) => significantOf(value)),
  ).toEqual(['0', '0.8642', '−0.006667', '38.62', '12350', '997300', '1.500e+9', '2.346e-7', '–']);
  expect([smallOf(0.0123), smallOf(0.0000123)]).toEqual(['0.01230', '1.2e-5']);
});

it('P values, in columns and in sentences', () => {
  expect([0.00005, 0.0001, 0.0288, 1, null].map(probabilityOf)).toEqual([
    '< 0.0001',
    '0.0001',
    '0.0288',
    '1.0000',
    '–',
  ]);
  expect([0.00005, 0.0288, null].map(equalsP)).toEqual(['P < 0.0001', 'P = 0.0288', 'P unknown']);
});

it('fractions', () => {
  expect([percentOf(0.1234), percentOf(0.1234, 0), percentOf(undefined)]).toEqual(['12.3 %', '12 %', '–']);
  expect([pointsOf(0.05), pointsOf(-0.234), levelOf(0.95), levelOf(0.999)]).toEqual(['5', '−23.4', '95 %', '99.9 %']);
  expect([rangeOf([0.1, 0.2], pointsOf), rangeOf(null, pointsOf)]).toEqual(['10 to 20', '–']);
  expect([withRangeOf(0.15, [0.1, 0.2], hundredthsOf), withRangeOf(0.15, null, hundredthsOf)]).toEqual([
    '15.0 (10.0 to 20.0)',
    '15.0',
  ]);
  expect([countedOf(1, 'picture'), countedOf(12345, 'picture'), countedOf(2, 'person', 'people')]).toEqual([
    '1 picture',
    '12,345 pictures',
    '2 people',
  ]);
});

/** Not for reading: coordinates, and values set beside printed ones digit by digit. */
const notForPeople = [
  'report/figures/plot.ts',
  'report/tables/beside.ts',
  'try/move-object.ts',
  'map/map.tsx',
  'try/try.tsx',
];

it('what people read is written by this module alone', () => {
  const root = join(import.meta.dirname, '..', '..');
  const folders = ['src/cli', 'src/report', 'src/metrics', 'src/mine', 'src/explain', 'src/train', 'web/src'];
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !notForPeople.some((end) => path.endsWith(end)))
      .filter((path) => /\.to(Fixed|Precision|Exponential)\(/.test(readFileSync(join(root, path), 'utf8'))),
  );
  expect(found).toEqual([]);
});
