import { groupBy } from '../analyze/collapse.ts';
import { type ColumnTable, type TextColumn, tableFrom } from '../analyze/table.ts';
import { countsOf, type SegmentationMeasure, segmentationMeasures } from './measures.ts';

const measureNames = Object.keys(segmentationMeasures) as SegmentationMeasure[];
const factors = ['model', 'scenario', 'class', 'of'];

/** The measure a formula is about, where it is one of segmentation's: `dice ~ …`, `log(iou) ~ …`. */
export const segmentationOutcome = (formula: string | undefined): SegmentationMeasure | undefined => {
  const outcome = formula?.split('~')[0] ?? '';
  return measureNames.find((name) => new RegExp(`\\b${name}\\b`).test(outcome));
};

/**
 * Segmentation rows as a regression wants them: `class` is the sample's label, as for classification, and `of` is what was
 * segmented (`object`, or a class of the model; then only where the formula asks). One row per model, scenario and class
 * with the mean over its images (the images without a value left out), or one per image.
 */
export function segmentationRegression(
  table: ColumnTable,
  { rows, formula = '' }: { rows: 'cell' | 'image'; formula?: string },
): ColumnTable {
  const of = table.text('class');
  const every = /\bof\b/.test(formula);
  const kept = Array.from({ length: table.rowCount }, (_, row) => row).filter(
    (row) => every || of.levels[of.codes[row]] === 'object',
  );
  const column = (name: string): TextColumn => {
    const { codes, levels } = table.text(name);
    return { codes: Uint32Array.from(kept, (row) => codes[row]), levels };
  };
  const countsAt = countsOf(table);
  const perImage = measureNames.map((name) =>
    Float64Array.from(kept, (row) => segmentationMeasures[name](countsAt(row))),
  );
  const words = { model: column('model'), scenario: column('scenario'), class: column('label'), of: column('class') };
  if (rows === 'image') {
    const more = ['sample', 'group'].filter((name) => table.has(name)).map((name) => [name, column(name)]);
    const measures = measureNames.map((name, m) => [name, perImage[m]]);
    return tableFrom({ ...words, ...Object.fromEntries([...more, ...measures]) }, table.source);
  }
  const { cell, first } = groupBy(Object.values(words), kept.length);
  const n = new Float64Array(first.length);
  for (const c of cell) n[c]++;
  const means = perImage.map((values) => {
    const [sum, count] = [new Float64Array(first.length), new Float64Array(first.length)];
    for (let i = 0; i < cell.length; i++)
      if (!Number.isNaN(values[i])) {
        sum[cell[i]] += values[i];
        count[cell[i]]++;
      }
    return sum.map((value, c) => value / count[c]);
  });
  return tableFrom(
    {
      ...Object.fromEntries(
        Object.entries(words).map(([name, { codes, levels }]) => [
          name,
          { codes: Uint32Array.from(first, (row) => codes[row]), levels },
        ]),
      ),
      ...Object.fromEntries(measureNames.map((name, m) => [name, means[m]])),
      n,
    },
    table.source,
  );
}

/** `iou ~ model + scenario + class`, those that vary among the rows with a value. */
export function segmentationFormula(table: ColumnTable, outcome: SegmentationMeasure = 'iou'): string {
  const values = table.numbers(outcome);
  const varies = (name: string) => {
    const { codes } = table.text(name);
    return new Set(codes.filter((_, row) => !Number.isNaN(values[row]))).size > 1;
  };
  return `${outcome} ~ ${factors.filter(varies).join(' + ') || '1'}`;
}
