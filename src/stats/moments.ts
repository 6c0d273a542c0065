type Numbers = ArrayLike<number>;

/** Mean with the rounding error of the first sum taken out. */
export function mean(x: Numbers): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i];
  const first = sum / x.length;
  let rest = 0;
  for (let i = 0; i < x.length; i++) rest += x[i] - first;
  return first + rest / x.length;
}

/** Σ(x − mean)ᵏ / n. */
function centralMoment(x: Numbers, order: number, centre: number): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] - centre) ** order;
  return sum / x.length;
}

/** Over n − 1. */
export const variance = (x: Numbers): number => (centralMoment(x, 2, mean(x)) * x.length) / (x.length - 1);
export const standardDeviation = (x: Numbers): number => Math.sqrt(variance(x));

/** g₁ = m₃ / m₂^{3/2}. */
export function skewness(x: Numbers): number {
  const centre = mean(x);
  return centralMoment(x, 3, centre) / centralMoment(x, 2, centre) ** 1.5;
}

/** b₂ = m₄ / m₂²; 3 for a normal distribution. */
export function kurtosis(x: Numbers): number {
  const centre = mean(x);
  return centralMoment(x, 4, centre) / centralMoment(x, 2, centre) ** 2;
}

/** Quantile of sorted values, R's type 7. */
export function sortedQuantile(sorted: Numbers, p: number): number {
  const at = (sorted.length - 1) * p;
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}
