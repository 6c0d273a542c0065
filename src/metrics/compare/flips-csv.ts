import type { Comparison, Flip } from '../../contracts/comparison.ts';
import { spreadsheetCsv } from '../../formats/csv-write.ts';

/** The samples whose answer turned, one per line. */
export function flipsCsv(
  compared: readonly { readonly comparison: Pick<Comparison, 'a' | 'b'>; readonly flips: readonly Flip[] }[],
): string {
  const rows = compared.flatMap(({ comparison, flips }) =>
    flips.map(({ scenario, sample, label, change, a, b }) => [
      comparison.a.model,
      comparison.b.model,
      scenario,
      sample,
      label,
      change,
      a,
      b,
    ]),
  );
  return spreadsheetCsv('modelA modelB scenario sample label change a b'.split(' '), rows);
}
