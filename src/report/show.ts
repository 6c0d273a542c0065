import { fixedOf, hundredthsOf, none, percentOf, probabilityOf, significantOf } from '../contracts/numbers.ts';
import type { ReportCell } from './document.ts';

/** How numbers are written in the report: fractions as percentages, drops as points, `–` where there is none. */
const isNumber = (value: ReportCell | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

export const percent = (value: ReportCell | undefined, digits = 1): string =>
  isNumber(value) ? percentOf(value, digits).replace(' ', '\u00a0') : none;

/** A difference of fractions, in points of a hundred, without a unit. */
export const points = (value: ReportCell | undefined, digits = 1): string =>
  isNumber(value) ? hundredthsOf(value, digits) : none;

export const fixed = (value: ReportCell | undefined, digits = 4): string =>
  isNumber(value) ? fixedOf(value, digits) : none;

export const range = (
  low: ReportCell | undefined,
  high: ReportCell | undefined,
  show: (value: ReportCell) => string,
): string => (isNumber(low) && isNumber(high) ? `${show(low)} to ${show(high)}` : none);

export const millions = (value: ReportCell | undefined): string => {
  if (!isNumber(value)) return none;
  const m = value / 1e6;
  return m >= 0.095 ? fixedOf(m, m >= 100 ? 0 : 1) : significantOf(m, 2);
};

export const pValue = (p: ReportCell | undefined): string =>
  isNumber(p) ? probabilityOf(p).replace(' ', '\u00a0') : none;

export { countedOf as count, listWords, none } from '../contracts/numbers.ts';
