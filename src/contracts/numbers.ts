/** How numbers are written for people: the same in the terminal, the report, the studio and in sentences. */

type MaybeNumber = number | null | undefined;
type Interval = readonly [number, number];

/** What stands where there is no number. */
export const none = '–';
const isMissing = (value: MaybeNumber): value is null | undefined =>
  value === null || value === undefined || Number.isNaN(value);

const minus = (text: string) => text.replace(/^-/, '−');
const withoutZeroSign = (text: string) => (Number(text) === 0 ? text.replace('-', '') : text);

/** `−0.0123`; a zero has no sign. */
export const fixedOf = (value: MaybeNumber, digits: number): string =>
  isMissing(value) ? none : minus(withoutZeroSign(value.toFixed(digits)));

/** `+1.2`, `−1.2`, `0.0`. */
export function signedOf(value: MaybeNumber, digits: number): string {
  const text = fixedOf(value, digits);
  return !isMissing(value) && value > 0 && Number(text) > 0 ? `+${text}` : text;
}

/** Four significant digits, as regression tables are printed. */
export function significantOf(value: MaybeNumber, digits = 4): string {
  if (isMissing(value)) return none;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-5) return minus(value.toExponential(digits - 1));
  const text = value.toPrecision(digits);
  return minus(text.includes('e') ? String(Number(text)) : text);
}

/** A variance: five digits, or its size where these would be zeros. */
export const smallOf = (value: number): string =>
  value > 0 && value < 1e-4 ? value.toExponential(1) : fixedOf(value, 5);

/** `23.4 %` of a fraction. */
export const percentOf = (fraction: MaybeNumber, digits = 1): string =>
  isMissing(fraction) ? none : `${hundredthsOf(fraction, digits)} %`;

/** A confidence level without needless digits: `95 %`, `99.9 %`. */
export const levelOf = (level: number): string => `${Number((100 * level).toPrecision(6))} %`;

/** A fraction in hundredths, for columns whose heading says `%` or `points`: `23.4`. */
export const hundredthsOf = (fraction: MaybeNumber, digits = 1): string =>
  isMissing(fraction) ? none : fixedOf(100 * fraction, digits);

/** A difference of fractions in hundredths: `+1.2`, `−1.2`, `0.0`. */
export const signedHundredthsOf = (fraction: MaybeNumber, digits = 1): string =>
  isMissing(fraction) ? none : signedOf(100 * fraction, digits);

/** A difference of fractions in points of a hundred, in a sentence: `23.4`, `5`. */
export const pointsOf = (fraction: number): string => hundredthsOf(fraction).replace(/\.0$/, '');

/** `18 to 28.8`. */
export const rangeOf = (ends: Interval | null | undefined, show: (value: number) => string): string =>
  ends ? `${show(ends[0])} to ${show(ends[1])}` : none;

/** `23.4 (18.0 to 28.8)`. */
export const withRangeOf = (value: MaybeNumber, ends: Interval | null | undefined, show: (v: MaybeNumber) => string) =>
  ends ? `${show(value)} (${rangeOf(ends, show)})` : show(value);

/** A P value, in a column or after a bare `P`: `0.0123`, `< 0.0001`. */
export const probabilityOf = (p: MaybeNumber): string =>
  isMissing(p) ? none : p < 0.0001 ? '< 0.0001' : fixedOf(p, 4);

/** A P value in a sentence: `P = 0.0123`, `P < 0.0001`. */
export const equalsP = (p: MaybeNumber): string =>
  isMissing(p) ? 'P unknown' : `P ${p < 0.0001 ? '' : '= '}${probabilityOf(p)}`;

/** `12,345`. */
export const countOf = (n: number): string => n.toLocaleString('en-US');

/** `1 picture`, `12,345 pictures`. */
export const countedOf = (n: number, word: string, plural = `${word}s`): string =>
  `${countOf(n)} ${n === 1 ? word : plural}`;

/** `a`, `a and b`, `a, b and c`. */
export const listWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
