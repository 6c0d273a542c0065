/** Holm's (1979) step-down correction, in the order given. NaN stays NaN and is not counted. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).filter((i) => !Number.isNaN(ps[i]));
  order.sort((a, b) => ps[a] - ps[b]);
  const adjusted = new Array<number>(ps.length).fill(Number.NaN);
  let running = 0;
  for (const [rank, i] of order.entries()) {
    running = Math.max(running, Math.min(1, (order.length - rank) * ps[i]));
    adjusted[i] = running;
  }
  return adjusted;
}

/** Benjamini and Hochberg (1995): false discovery rate. */
export function benjaminiHochberg(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).filter((i) => !Number.isNaN(ps[i]));
  order.sort((a, b) => ps[b] - ps[a]);
  const adjusted = new Array<number>(ps.length).fill(Number.NaN);
  let running = 1;
  for (const [rank, i] of order.entries()) {
    running = Math.min(running, (order.length / (order.length - rank)) * ps[i]);
    adjusted[i] = running;
  }
  return adjusted;
}
