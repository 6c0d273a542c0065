import type { Random } from '../contracts/random.ts';

/** Number of ways to take k of n. */
export function choose(n: number, k: number): number {
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return Math.round(result);
}

/** Every subset of k places out of n, or `most` of them drawn without repeating one. */
export function subsets(n: number, k: number, { most, random }: { most: number; random: Random }): number[][] {
  if (choose(n, k) <= most) return everySubset(n, k);
  const drawn = new Map<string, number[]>();
  const places = Array.from({ length: n }, (_, i) => i);
  while (drawn.size < most) {
    const subset = random
      .shuffle(places)
      .slice(0, k)
      .sort((a, b) => a - b);
    drawn.set(subset.join(' '), subset);
  }
  return [...drawn.values()];
}

function everySubset(n: number, k: number, from = 0): number[][] {
  if (k === 0) return [[]];
  const found: number[][] = [];
  for (let first = from; first <= n - k; first++)
    for (const rest of everySubset(n, k - 1, first + 1)) found.push([first, ...rest]);
  return found;
}
