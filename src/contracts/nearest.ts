/** The candidate within two edits of a mistyped word. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const scored = candidates
    .map((candidate) => [editDistance(word, candidate), candidate] as const)
    .sort((a, b) => a[0] - b[0]);
  return scored[0] && scored[0][0] <= Math.max(2, word.length / 4) ? scored[0][1] : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}
