import { expected } from '../contracts/errors.ts';

interface Numbers {
  readonly seed?: number;
  readonly bootstrap?: number;
  /** `bootstrap` of a regression, which may be none. */
  readonly replicates?: number;
  readonly margin?: number;
  readonly shipMargin?: number;
  readonly detect?: number;
  readonly level?: number;
  readonly tolerance?: number;
}

const mostResamples = 100_000;

/** Refuses what a score, a comparison or a regression cannot be made with, whether it was typed or a program gave it. */
export function checkNumbers(given: Numbers): void {
  const { seed, bootstrap, replicates, margin, shipMargin, detect, level, tolerance } = given;
  check(Number.isSafeInteger, 'a whole number', '--seed', seed);
  check(resamples(20), `a whole number from 20 to ${mostResamples}`, '--bootstrap', bootstrap);
  check(resamples(0), `a whole number from 0 to ${mostResamples}`, '--bootstrap', replicates);
  check(isFraction, 'a fraction between 0 and 1', '--margin', margin, '0.05 is five points');
  check(isFraction, 'a fraction between 0 and 1', '--ship-margin', shipMargin, '0.05 is five points');
  check(isFraction, 'a fraction between 0 and 1', '--detect', detect, '0.02 is two points');
  check(isFraction, 'a number between 0 and 1', '--level', level);
  check(isFraction, 'a number between 0 and 1', '--tolerance', tolerance);
}

const resamples = (fewest: number) => (value: number) =>
  Number.isInteger(value) && value >= fewest && value <= mostResamples;
const isFraction = (value: number) => value > 0 && value < 1;

function check(
  isRight: (value: number) => boolean,
  what: string,
  name: string,
  value: number | undefined,
  hint?: string,
): void {
  if (value !== undefined && !isRight(value)) throw expected(what, name, value, hint);
}
