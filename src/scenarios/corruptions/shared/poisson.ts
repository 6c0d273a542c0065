/**
 * Draws from a Poisson distribution by inverting its cumulative distribution, tabulated once: exact but for rounding. A
 * guide table (Chen and Asau, 1974) starts the search a step or two before its end. Worth it where the same mean is
 * drawn from many times; an 8-bit picture has 256 means.
 */
export function poissonSampler(mean: number): (uniform: number) => number {
  if (mean === 0) return () => 0;
  const cumulative = cumulativeProbabilities(mean);
  const size = cumulative.length;
  // One slot more than needed: uniform × size may round up to size.
  const guide = new Uint16Array(size + 1);
  for (let slot = 0, count = 0; slot <= size; slot++) {
    while (cumulative[count] < slot / size) count++;
    guide[slot] = count;
  }
  return (uniform) => {
    let count = guide[(uniform * size) | 0];
    while (cumulative[count] <= uniform) count++;
    return count;
  };
}

/** P(count ≤ k) until nothing is left that a uniform number of 53 bits could tell from 1; the last entry is 1. */
function cumulativeProbabilities(mean: number): Float64Array {
  const values: number[] = [];
  // From the logarithm: exp(−mean) alone would be 0 above a mean of 745.
  let logProbability = -mean;
  let sum = 0;
  for (let count = 0; count < mean || Math.exp(logProbability) > 1e-18; count++) {
    if (count > 0) logProbability += Math.log(mean / count);
    sum += Math.exp(logProbability);
    values.push(Math.min(sum, 1));
  }
  values.push(1);
  return Float64Array.from(values);
}
