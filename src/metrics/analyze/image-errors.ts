import type { Analysis, AnalysisTerm } from '../../contracts/analysis.ts';
import { tQuantile, tTwoSided } from '../../stats/student-t.ts';
import { stars } from './terms.ts';

/** The draws of images that the shown errors come from; null where there are none, or others were asked for by name. */
export const imageErrors = ({ bootstrap, errors }: Pick<Analysis, 'bootstrap' | 'errors'>): Analysis['bootstrap'] =>
  errors.kind === 'classical' ? bootstrap : null;

/** `240 images`, `31 groups of images`. */
export const drawnClusters = ({ cluster, clusters }: NonNullable<Analysis['bootstrap']>): string =>
  `${clusters} ${cluster === 'group' ? 'groups of images' : 'images'}`;

/**
 * The coefficients with the errors that respect shared images, where there are such: interval, t, P and stars all from the
 * spread over images drawn anew (t, images − 1). What is shown to people shows these and no others.
 */
export function termsByImages(analysis: Pick<Analysis, 'terms' | 'bootstrap' | 'errors'>): AnalysisTerm[] {
  const { terms, errors } = analysis;
  const drawn = imageErrors(analysis);
  if (!drawn) return terms;
  const df = drawn.clusters - 1;
  const critical = -tQuantile((1 - errors.level) / 2, df);
  return terms.map((term) => {
    const se = term.bootstrap?.se;
    const { estimate } = term;
    if (se === undefined || estimate === null) return term;
    // A level that no draw changes: nothing is known about its error.
    if (!(se > 0)) return { ...term, se, statistic: null, p: null, stars: null, ci: [estimate, estimate] };
    const statistic = estimate / se;
    const p = tTwoSided(statistic, df);
    const reach = critical * se;
    return { ...term, se, statistic, p, stars: stars(p), ci: [estimate - reach, estimate + reach] };
  });
}
