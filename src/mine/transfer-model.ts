import { type DesignColumn, indicatorColumn } from '../stats/columns.ts';
import { glm } from '../stats/glm.ts';
import { normalQuantile, normalTwoSided } from '../stats/normal.ts';
import type { Interval } from '../stats/proportion.ts';

/** What is known of one picture of the hard set before an unseen model is asked. */
export interface TransferFeatures {
  /** Numbers: the object's size, brightness, how sure the surrogates were. Standardised before they are fitted. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Words: the class, the nuisance. */
  readonly words: Readonly<Record<string, string>>;
}

export interface TransferTerm {
  readonly term: string;
  /** Of one standard deviation, or against the first level; above 1: failing transfers more often. */
  readonly oddsRatio: number;
  readonly ci: Interval;
  readonly p: number;
}

/**
 * Which features of an image make it likely that a target fails it too: logistic regression over pictures and targets.
 * One picture asked of several targets is one cluster; errors respect that.
 */
export function transferModel(
  features: readonly TransferFeatures[],
  /** Per target, 1 where it is wrong on the picture. */
  wrong: readonly Uint8Array[],
): TransferTerm[] {
  const pictures = features.length;
  const n = pictures * wrong.length;
  const columns: DesignColumn[] = [{ values: new Float64Array(n).fill(1) }];
  const terms = ['Intercept'];
  const add = (term: string, column: DesignColumn) => {
    terms.push(term);
    columns.push(column);
  };
  const repeat = (values: ArrayLike<number>) => Float64Array.from({ length: n }, (_, i) => values[i % pictures]);
  for (const name of Object.keys(features[0]?.numbers ?? {})) {
    const values = Float64Array.from(features, ({ numbers }) => numbers[name]);
    const mean = values.reduce((sum, value) => sum + value, 0) / pictures;
    const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, pictures - 1));
    if (spread > 0) add(name, { values: repeat(values.map((value) => (value - mean) / spread)) });
  }
  for (const name of Object.keys(features[0]?.words ?? {})) {
    const levels = [...new Set(features.map(({ words }) => words[name]))].sort();
    for (const level of levels.slice(1)) {
      const ones = Uint32Array.from([...Array(n).keys()].filter((i) => features[i % pictures].words[name] === level));
      add(`${name}[${level}]`, indicatorColumn(n, ones));
    }
  }
  for (let t = 1; t < wrong.length; t++)
    add(
      `target[${t + 1}]`,
      indicatorColumn(
        n,
        Uint32Array.from({ length: pictures }, (_, i) => t * pictures + i),
      ),
    );
  const y = Float64Array.from({ length: n }, (_, i) => wrong[Math.floor(i / pictures)][i % pictures]);
  const fit = glm({ columns, y, weights: new Float64Array(n).fill(1), intercept: true }, { family: 'binomial' });
  const errors = clusteredErrors(columns, fit, y, pictures);
  const z = -normalQuantile(0.025);
  return fit.kept.flatMap((column, place) => {
    const estimate = fit.coefficients[column];
    const error = errors[place];
    if (terms[column] === 'Intercept' || terms[column].startsWith('target[') || fit.infinite.has(column)) return [];
    const ci: Interval = [Math.exp(estimate - z * error), Math.exp(estimate + z * error)];
    return [{ term: terms[column], oddsRatio: Math.exp(estimate), ci, p: normalTwoSided(estimate / error) }];
  });
}

/** Sandwich errors (Liang and Zeger, 1986) with the factor G/(G − 1); a cluster is one picture over all targets. */
function clusteredErrors(
  columns: readonly DesignColumn[],
  { kept, covariance, fitted }: ReturnType<typeof glm>,
  y: Float64Array,
  clusters: number,
): Float64Array {
  const rank = kept.length;
  const meat = new Float64Array(rank * rank);
  for (let cluster = 0; cluster < clusters; cluster++) {
    const score = new Float64Array(rank);
    for (let i = cluster; i < y.length; i += clusters)
      for (let k = 0; k < rank; k++) score[k] += columns[kept[k]].values[i] * (y[i] - fitted[i]);
    for (let k = 0; k < rank; k++) for (let l = 0; l < rank; l++) meat[k * rank + l] += score[k] * score[l];
  }
  const factor = clusters / (clusters - 1);
  return Float64Array.from({ length: rank }, (_, k) => {
    let sum = 0;
    for (let a = 0; a < rank; a++)
      for (let b = 0; b < rank; b++) sum += covariance[k * rank + a] * meat[a * rank + b] * covariance[b * rank + k];
    return Math.sqrt(factor * sum);
  });
}
