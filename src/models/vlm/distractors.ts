import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { normalizeLabel } from '../../labels/match.ts';
import { randomFor } from '../../stats/random.ts';
import { needColumns, readTable } from '../read-table.ts';

/** The wrong choice of a question, by sample, else by label; else another of the dataset's classes. */
export interface Distractors {
  readonly bySample: Readonly<Record<string, string>>;
  readonly byLabel: Readonly<Record<string, string>>;
  readonly classes: readonly string[];
}

const same = (a: string, b: string) => normalizeLabel(a) === normalizeLabel(b);

/**
 * From a file: another model's predictions (its wrong answers, as ImageNet-D takes CLIP's), ImageNet-D's own question
 * files (one, or the folder of them), or a table of sample and distractor. From the config: label → label.
 */
export async function loadDistractors(
  source: string | Readonly<Record<string, string>> | undefined,
  classes: readonly string[],
): Promise<Distractors> {
  if (source === undefined) return { bySample: {}, byLabel: {}, classes };
  if (typeof source !== 'string') return { bySample: {}, byLabel: source, classes };
  if ((await stat(source).catch(() => undefined))?.isDirectory()) {
    const files = (await readdir(source)).filter((name) => name.endsWith('.csv')).sort();
    if (!files.length) throw new UserError(`${source} holds no question files (*.csv) to take distractors from`);
    const tables = await Promise.all(files.map((file) => loadDistractors(join(source, file), classes)));
    const together = (of: (table: Distractors) => Readonly<Record<string, string>>) =>
      Object.assign({}, ...tables.map(of));
    return { bySample: together(({ bySample }) => bySample), byLabel: together(({ byLabel }) => byLabel), classes };
  }
  const { columns, rows } = await readTable(source);
  const bySample: Record<string, string> = {};
  if (columns.includes('top1_pred_cate')) {
    needColumns(source, columns, ['image_dir', 'gt_category', 'top2_pred_cate']);
    for (const row of rows)
      bySample[row.image_dir] = same(row.top1_pred_cate, row.gt_category) ? row.top2_pred_cate : row.top1_pred_cate;
    return { bySample, byLabel: {}, classes };
  }
  if (columns.includes('distractor')) {
    needColumns(source, columns, ['sample']);
    for (const row of rows) bySample[row.sample] = row.distractor;
    return { bySample, byLabel: {}, classes };
  }
  needColumns(source, columns, ['sample', 'label', 'prediction']);
  const confusions = new Map<string, Map<string, number>>();
  for (const { sample, label, prediction } of rows) {
    if (same(label, prediction)) continue;
    bySample[sample] ??= prediction;
    const counts = confusions.get(label) ?? new Map<string, number>();
    confusions.set(label, counts.set(prediction, (counts.get(prediction) ?? 0) + 1));
  }
  const byLabel = Object.fromEntries([...confusions].map(([label, counts]) => [label, mostFrequent(counts)]));
  return { bySample, byLabel, classes };
}

const mostFrequent = (counts: Map<string, number>) =>
  [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0][0];

/** The wrong choice for one sample; the same in every scenario, so that scenarios can be compared. */
export function distractorFor({ bySample, byLabel, classes }: Distractors, sample: string, label: string): string {
  // ImageNet-D's files name images by a path that ends in ours.
  const chosen = bySample[sample] ?? bySample[sample.split('/').slice(-2).join('/')] ?? byLabel[label];
  if (chosen !== undefined && !same(chosen, label)) return chosen;
  const others = classes.filter((name) => !same(name, label));
  if (others.length === 0)
    throw new UserError(
      `A question with two choices needs a wrong one for '${label}': give vlm.distractors in the config, or a dataset with more than one class`,
    );
  return randomFor('distractor', sample).pick([...others].sort());
}
