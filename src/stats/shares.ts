import { contains, type ModelTerm } from './anova.ts';
import type { LeastSquares } from './fit.ts';

/** More terms than this would mean thousands of submodels. */
export const maxShareTerms = 10;

/** How much each submodel counts when one term is added to it, averaged over all orders that keep margins first. */
interface Step {
  readonly term: number;
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/**
 * Lindeman, Merenda and Gold's share of the explained variance (Shapley's value of R²): a term's gain averaged over all
 * orders of entry; a product enters after its parts. `value[mask]` is what the submodel of those terms explains.
 */
export function shapleySteps(terms: readonly ModelTerm[]): { steps: Step[]; masks: number[] } {
  const k = terms.length;
  const needs = terms.map((term) =>
    terms.reduce((mask, other, j) => (contains(term, other) ? mask | (1 << j) : mask), 0),
  );
  const allowed = (mask: number, t: number) => !(mask & (1 << t)) && (needs[t] & mask) === needs[t];
  const full = (1 << k) - 1;
  // Orders that lead to a mask, and from it to the full model.
  const waysTo = new Float64Array(full + 1);
  const waysFrom = new Float64Array(full + 1);
  waysTo[0] = 1;
  for (let mask = 0; mask <= full; mask++)
    if (waysTo[mask]) for (let t = 0; t < k; t++) if (allowed(mask, t)) waysTo[mask | (1 << t)] += waysTo[mask];
  waysFrom[full] = 1;
  for (let mask = full; mask >= 0; mask--)
    if (waysTo[mask]) for (let t = 0; t < k; t++) if (allowed(mask, t)) waysFrom[mask] += waysFrom[mask | (1 << t)];
  const steps: Step[] = [];
  const masks: number[] = [];
  for (let mask = 0; mask <= full; mask++) {
    if (!waysTo[mask]) continue;
    masks.push(mask);
    for (let t = 0; t < k; t++) {
      if (!allowed(mask, t)) continue;
      const to = mask | (1 << t);
      steps.push({ term: t, from: mask, to, weight: (waysTo[mask] * waysFrom[to]) / waysTo[full] });
    }
  }
  return { steps, masks };
}

/** Adds up the steps for given values of the submodels. */
export function shapley(steps: readonly Step[], terms: number, value: ArrayLike<number>): Float64Array {
  const gains = new Float64Array(terms);
  for (const { term, from, to, weight } of steps) gains[term] += weight * (value[to] - value[from]);
  return gains;
}

/**
 * The share of each term in the explained sum of squares, as a function of the coefficients: the submodels' spaces are
 * found once, so that a bootstrap can ask thousands of times.
 */
export function shareFunction(fit: LeastSquares, terms: readonly ModelTerm[], base: readonly number[]) {
  const { steps, masks } = shapleySteps(terms);
  const spaces = masks.map((mask) => ({
    mask,
    squares: fit.subspace(
      base,
      terms.flatMap((term, t) => (mask & (1 << t) ? term.columns : [])),
    ),
  }));
  const total = 2 ** terms.length;
  return (beta: Float64Array): Float64Array => {
    const values = new Float64Array(total);
    for (const { mask, squares } of spaces) values[mask] = squares(beta);
    const whole = values[total - 1];
    return shapley(steps, terms.length, values).map((gain) => (whole > 0 ? gain / whole : 0));
  };
}
