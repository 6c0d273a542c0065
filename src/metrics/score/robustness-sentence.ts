import { hundredthsOf, percentOf } from '../../contracts/numbers.ts';
import type { Robustness } from '../../contracts/score.ts';

/** The score in a sentence or two: what it means here, and what it hides. */
export function robustnessSentence(robustness: Robustness): string {
  const { score, cross, inner, ci, p, dominant, mu = 0 } = robustness;
  const sentences = [
    `A typical scenario moves the accuracy by ${hundredthsOf(Math.sqrt(cross))} points from ${percentOf(mu)} (the root of cross)${
      inner === null ? '' : `, and training on the scenario leaves it ${hundredthsOf(Math.sqrt(inner))} points away`
    }.`,
  ];
  if (p !== null && p !== undefined && p >= 0.05)
    sentences.push('No effect of any scenario is shown: all of it may be chance.');
  else if (dominant && dominant.share > 0.5 && (robustness.scenarios ?? 0) > 1)
    sentences.push(`${percentOf(dominant.share, 0)} of cross is ${dominant.scenario} alone.`);
  if (ci && (score < ci[0] || score > ci[1]))
    sentences.push(
      "The paper's number lies outside its interval because sampling noise lowers it; trust the interval.",
    );
  return sentences.join(' ');
}
