export interface Neighbours {
  /** Row by row, nearest first. */
  readonly index: Int32Array;
  readonly distance: Float32Array;
}

/** The `k` nearest other rows of every row, by straight distance, exactly. */
export function nearestNeighbours(rows: Float32Array, { n, d, k }: { n: number; d: number; k: number }): Neighbours {
  const index = new Int32Array(n * k).fill(-1);
  const distance = new Float32Array(n * k).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < n; i++) {
    const start = i * k;
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      const worst = distance[start + k - 1];
      let squared = 0;
      for (let a = 0; a < d && squared < worst; a++) squared += (rows[i * d + a] - rows[j * d + a]) ** 2;
      if (squared >= worst) continue;
      let at = k - 1;
      for (; at > 0 && distance[start + at - 1] > squared; at--) {
        distance[start + at] = distance[start + at - 1];
        index[start + at] = index[start + at - 1];
      }
      distance[start + at] = squared;
      index[start + at] = j;
    }
  }
  for (let i = 0; i < distance.length; i++) distance[i] = Math.sqrt(distance[i]);
  return { index, distance };
}
