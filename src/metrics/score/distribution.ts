import { equalsP, fixedOf } from '../../contracts/numbers.ts';
import type { Spread } from '../../contracts/score.ts';
import { dipTest } from '../../stats/dip.ts';
import { mean, skewness, standardDeviation } from '../../stats/moments.ts';
import { shapiro } from '../../stats/normality/shapiro.ts';

/**
 * Does a variance describe these accuracies? Shapiro–Wilk, skewness and Hartigan's dip, with a plain warning where one of
 * them says no. Not `judged`: accuracies of one or two images, which are 0 or 1 and have no shape.
 */
export function spreadOf(of: Spread['of'], values: readonly number[], { judged = true } = {}): Spread | null {
  if (values.length < 2) return null;
  const sd = standardDeviation(values);
  const varies = sd > 1e-12;
  const skew = varies && values.length >= 3 ? skewness(values) : null;
  const tested = varies && values.length >= 3 ? shapiro(values) : { statistic: null, p: null };
  const normality = { statistic: tested.statistic, p: tested.p };
  const modality = varies && values.length >= 4 ? dipTest(values, { simulations: 1000 }) : null;
  return {
    of,
    n: values.length,
    mean: mean(values),
    sd,
    skewness: skew,
    normality,
    modality,
    warning: judged ? warningFor(of, skew, normality.p, modality?.p ?? null) : null,
  };
}

function warningFor(
  of: Spread['of'],
  skew: number | null,
  normalP: number | null,
  modalP: number | null,
): string | null {
  const what = of === 'scenarios' ? 'The accuracies of the scenarios' : 'The accuracies of the classes';
  if (modalP !== null && modalP < 0.05)
    return `${what} fall into more than one cluster (dip test ${equalsP(modalP)}): a variance hides which ones fail.`;
  if (normalP !== null && normalP < 0.05 && skew !== null && Math.abs(skew) > 1) {
    const side = skew < 0 ? 'a few far below the rest' : 'a few far above the rest';
    return `${what} have ${side} (skewness ${fixedOf(skew, 1)}): the variance is mostly theirs; look at the worst ones by name.`;
  }
  if (normalP !== null && normalP < 0.05)
    return `${what} are far from a bell curve (Shapiro–Wilk ${equalsP(normalP)}): a variance describes them badly.`;
  return null;
}
