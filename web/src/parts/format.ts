import {
  countedOf,
  countOf,
  percentOf,
  probabilityOf,
  rangeOf,
  signedHundredthsOf,
} from '../../../src/contracts/numbers.ts';

export const count = countOf;
export const plural = (n: number, word: string): string => countedOf(n, word);
export const percent = (share: number): string => percentOf(share);
/** Percentage points, signed. */
export const points = (share: number): string => signedHundredthsOf(share);
export const interval = (ci: readonly [number, number] | null | undefined, show: (value: number) => string): string =>
  ci ? rangeOf(ci, show) : 'no interval';
export const probability = (p: number | null | undefined): string => (typeof p === 'number' ? probabilityOf(p) : '');
/** The strength of a cell's colour, for the class `heat`. */
export const heat = (share: number) => ({ '--share': String(Math.round(1000 * share) / 1000) });
export const time = (text: string | null): string =>
  text ? new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' }) : '';
