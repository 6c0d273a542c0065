import { hundredthsOf, rangeOf } from '../../contracts/numbers.ts';
import type { Score } from '../../contracts/score.ts';
import type { Contrast } from '../../metrics/planted-bias/contrast.ts';
import type { TwinsVerdict } from '../../metrics/planted-bias/known-truth.ts';

/** Both intervals lie above zero: the bias that was planted is in the numbers. */
export const isFound = ({ randomBackground, outsideUsual }: TwinsVerdict): boolean =>
  randomBackground.ci[0] > 0 && outsideUsual.ci[0] > 0;

/** What cutting the object out and putting it back costs by itself, per model; the other drops stand against it. */
export const editingCosts = (score: Score): number[] =>
  score.models.map(({ scenarios }) => scenarios.find(({ scenario }) => scenario === 'paste-back')?.drop ?? 0);

/** The known truth and what was found of it, in a sentence; `--json` has every network and seed. */
export function verdictText(verdicts: readonly TwinsVerdict[], costs: readonly number[]): string[] {
  // The last is all networks together, or the only one.
  const whole = verdicts[verdicts.length - 1];
  const { randomBackground, outsideUsual } = whole;
  const found = isFound(whole)
    ? 'The bias was planted, and it is found'
    : 'The bias was planted, but these answers do not show it beyond chance';
  return [
    `${found}: a random background costs networks trained with each class in its usual places ${more(randomBackground)} than their twins trained anywhere, and outside the usual places they lose ${more(outsideUsual)}; pasting alone costs ${hundredthsOf(Math.min(...costs))} to ${hundredthsOf(Math.max(...costs))}.`,
  ];
}

const more = ({ estimate, ci }: Contrast) =>
  `${hundredthsOf(Math.abs(estimate))} points ${estimate < 0 ? 'less' : 'more'} (${ci.every(Number.isFinite) ? `95 % interval ${rangeOf(ci, hundredthsOf)}` : 'of one photograph, so there is no interval'})`;
