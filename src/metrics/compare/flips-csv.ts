import type { Comparison, Flip } from '../../contracts/compare.ts';

/** The samples whose answer turned, one per line. */
export function flipsCsv(
  compared: readonly { readonly comparison: Pick<Comparison, 'a' | 'b'>; readonly flips: readonly Flip[] }[],
): string {
  const lines = compared.flatMap(({ comparison, flips }) =>
    flips.map(({ scenario, sample, label, change, a, b }) =>
      [comparison.a.model, comparison.b.model, scenario, sample, label, change, a, b].map(field).join(','),
    ),
  );
  return `${['modelA,modelB,scenario,sample,label,change,a,b', ...lines].join('\n')}\n`;
}

function field(value: string | null): string {
  const text = value ?? '';
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
