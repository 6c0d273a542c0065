import { randomFor } from './random.ts';

export interface DipTest {
  readonly statistic: number;
  readonly p: number;
}

/**
 * Hartigan and Hartigan's (1985) dip: the smallest distance between the empirical distribution and any unimodal one.
 * Their algorithm: between the convex minorant of the steps' lower corners and the concave majorant of the upper ones,
 * narrow the interval that holds the mode to where the two are furthest apart, until what is cut off on the sides is
 * worse than anything inside.
 */
export function dip(x: ArrayLike<number>): number {
  const steps = stepsOf(x);
  const n = x.length;
  let [low, high] = [0, steps.values.length - 1];
  let gap = 1 / n;
  while (low < high) {
    const minorant = hull(steps.values, steps.before, low, high, 1);
    const majorant = hull(steps.values, steps.upto, low, high, -1);
    const { distance, left, right } = furthest(steps, minorant, majorant);
    if (distance <= gap) break;
    const below = largestGap(steps.values, steps.upto, steps.before, minorant, left, high, 1);
    const above = largestGap(steps.values, steps.before, steps.upto, majorant, low, right, -1);
    gap = Math.max(gap, below, above);
    if (left === low && right === high) break;
    [low, high] = [left, right];
  }
  return gap / 2;
}

interface Steps {
  readonly values: number[];
  /** Height of the empirical distribution just before and at each value. */
  readonly before: number[];
  readonly upto: number[];
}

function stepsOf(x: ArrayLike<number>): Steps {
  const sorted = Float64Array.from(x).sort();
  const values: number[] = [];
  const upto: number[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const height = (i + 1) / sorted.length;
    if (i > 0 && sorted[i] === sorted[i - 1]) upto[upto.length - 1] = height;
    else {
      values.push(sorted[i]);
      upto.push(height);
    }
  }
  return { values, before: [0, ...upto.slice(0, -1)], upto };
}

/** Corners of the convex minorant (sign 1) or concave majorant (sign −1) of heights over low … high. */
function hull(values: number[], heights: number[], low: number, high: number, sign: 1 | -1): number[] {
  const corners: number[] = [];
  for (let i = low; i <= high; i++) {
    while (corners.length >= 2) {
      const [a, b] = [corners[corners.length - 2], corners[corners.length - 1]];
      const turn =
        (heights[b] - heights[a]) * (values[i] - values[a]) - (heights[i] - heights[a]) * (values[b] - values[a]);
      if (sign * turn < 0) break;
      corners.pop();
    }
    corners.push(i);
  }
  return corners;
}

function heightAt(values: number[], heights: number[], corners: number[], segment: number, i: number): number {
  const [a, b] = [corners[segment], corners[segment + 1]];
  return heights[a] + ((heights[b] - heights[a]) * (values[i] - values[a])) / (values[b] - values[a]);
}

/** Where majorant and minorant are furthest apart, and the corners around that place. */
function furthest({ values, before, upto }: Steps, minorant: number[], majorant: number[]) {
  let best = { distance: 0, left: minorant[0], right: majorant[majorant.length - 1] };
  for (let m = 0, segment = 0; m < minorant.length; m++) {
    const at = minorant[m];
    while (segment < majorant.length - 2 && majorant[segment + 1] < at) segment++;
    const distance = heightAt(values, upto, majorant, segment, at) - before[at];
    if (distance > best.distance)
      best = { distance, left: at, right: majorant[segment] === at ? at : majorant[segment + 1] };
  }
  for (let m = 0, segment = 0; m < majorant.length; m++) {
    const at = majorant[m];
    while (segment < minorant.length - 2 && minorant[segment + 1] <= at) segment++;
    const distance = upto[at] - heightAt(values, before, minorant, segment, at);
    if (distance > best.distance) best = { distance, left: minorant[segment], right: at };
  }
  return best;
}

/** Largest distance of the steps' far corners from a hull, over its segments between two places. */
function largestGap(
  values: number[],
  far: number[],
  heights: number[],
  corners: number[],
  from: number,
  to: number,
  side: 1 | -1,
): number {
  let gap = 0;
  for (let segment = 0; segment < corners.length - 1; segment++) {
    const [a, b] = [corners[segment], corners[segment + 1]];
    // Left of the new interval for the minorant, right of it for the majorant.
    if (side === 1 ? b > from : a < to) continue;
    // A segment's inner end belongs to the next segment, or to the interval of the mode, where a jump is allowed.
    const [first, last] = side === 1 ? [a, b - 1] : [a + 1, b];
    for (let i = first; i <= last; i++)
      gap = Math.max(gap, side * (far[i] - heightAt(values, heights, corners, segment, i)));
  }
  return gap;
}

/** P against the uniform, the hardest unimodal case, by simulation with a fixed seed. */
export function dipTest(x: ArrayLike<number>, { simulations = 2000, seed = 0 } = {}): DipTest {
  const statistic = dip(x);
  if (x.length < 4) return { statistic, p: 1 };
  const reached = dipsOfUniform(x.length, simulations, seed).reduce((sum, one) => sum + (one >= statistic ? 1 : 0), 0);
  return { statistic, p: (reached + 1) / (simulations + 1) };
}

/** The models of a run have equally many accuracies: what is simulated for one serves all. */
const simulated = new Map<string, Float64Array>();
const mostKept = 16;

function dipsOfUniform(length: number, simulations: number, seed: number): Float64Array {
  const of = `${length} ${simulations} ${seed}`;
  const known = simulated.get(of);
  if (known) return known;
  const random = randomFor('dip', seed, length);
  const sample = new Float64Array(length);
  const dips = new Float64Array(simulations);
  for (let s = 0; s < simulations; s++) {
    for (let i = 0; i < length; i++) sample[i] = random.uniform();
    dips[s] = dip(sample);
  }
  if (simulated.size === mostKept) simulated.clear();
  simulated.set(of, dips);
  return dips;
}
