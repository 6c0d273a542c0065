/** How numbers are written in sentences for people, the same in terminal, report and JSON. */

const minus = (text: string) => text.replace(/^-/, '−');
const withoutZeroSign = (text: string) => (Number(text) === 0 ? text.replace('-', '') : text);

/** `−0.0123`; a zero has no sign. */
export const fixedOf = (value: number, digits: number): string => minus(withoutZeroSign(value.toFixed(digits)));

/** `+1.2`, `−1.2`, `0.0`. */
export const signedOf = (value: number, digits: number): string => `${value > 0 ? '+' : ''}${fixedOf(value, digits)}`;

/** `23.4 %` of a fraction. */
export const percentOf = (fraction: number, digits = 1): string => `${fixedOf(100 * fraction, digits)} %`;

/** A difference of fractions in points of a hundred: `23.4`, `5`. */
export const pointsOf = (fraction: number): string => fixedOf(100 * fraction, 1).replace(/\.0$/, '');

/** `18 to 28.8`. */
export const pointsRange = ([low, high]: readonly [number, number]): string => `${pointsOf(low)} to ${pointsOf(high)}`;

export const probabilityOf = (p: number): string => (p < 0.0001 ? '< 0.0001' : p.toFixed(4));

/** `a`, `a and b`, `a, b and c`. */
export const listWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
