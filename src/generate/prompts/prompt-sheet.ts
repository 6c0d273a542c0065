import { expected } from '../../contracts/errors.ts';
import type { PromptItem } from './grammar.ts';

/** One line of a prompt sheet: XIMAGENET-12 wrote one prompt per class. */
export interface PromptSheetRow {
  readonly label: string;
  readonly prompt: string;
  readonly negative?: string;
}

/** Prompts by class from the rows of a table with `label`, `prompt` and, if wanted, `negative`. */
export function readPromptSheet(
  source: string,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, string>>[],
): PromptSheetRow[] {
  for (const name of ['label', 'prompt'])
    if (!columns.includes(name)) throw expected('the columns label and prompt', source, columns.join(', '));
  return rows.map((row, i) => {
    if (!row.label?.trim() || !row.prompt?.trim())
      throw expected('a label and a prompt', `row ${i + 1} of ${source}`, row.label ? 'no prompt' : 'no label');
    return { label: row.label.trim(), prompt: row.prompt.trim(), negative: row.negative?.trim() || undefined };
  });
}

/** Every prompt of a sheet with every seed. */
export function expandSheet(
  sheet: readonly PromptSheetRow[],
  { seeds, negative = '' }: { seeds: readonly number[]; negative?: string },
): PromptItem[] {
  const times = new Map<string, number>();
  return sheet.flatMap((row) => {
    // Several prompts of one class are told apart by their number.
    const nth = (times.get(row.label) ?? 0) + 1;
    times.set(row.label, nth);
    return seeds.map((seed) => ({
      id: `sheet/${row.label.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')}/${nth}/${seed}`,
      category: row.label,
      kind: 'sheet',
      nuisance: String(nth),
      strategy: 'sheet',
      prompt: row.prompt,
      negative: row.negative ?? negative,
      seed,
    }));
  });
}
