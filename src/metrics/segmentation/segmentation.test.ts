import { describe, expect, it } from 'vitest';
import { analyze } from '../analyze/analyze.ts';
import { tableFrom } from '../analyze/table.ts';
import { compareSegmentation } from './compare-segmentation.ts';
import { boundaryF, dice, iou, type PixelCounts, pixelAccuracy, predictedShare } from './measures.ts';
import { segmentationFormula, segmentationOutcome, segmentationRegression } from './regression.ts';
import { scoreSegmentation } from './score.ts';

const counts = (values: Partial<PixelCounts>): PixelCounts => ({
  ...{ intersection: 0, union: 0, predicted: 0, truth: 0, correctPixels: 0, pixels: 0 },
  ...{ boundaryPredicted: 0, boundaryTruth: 0, boundaryPredictedMatched: 0, boundaryTruthMatched: 0 },
  ...values,
});

describe('segmentation measures', () => {
  // Two 4-pixel squares that share 2 pixels in a picture of 16.
  const one = counts({ intersection: 2, union: 6, predicted: 4, truth: 4, correctPixels: 12, pixels: 16 });
  it('are the textbook ones', () => {
    expect(iou(one)).toBeCloseTo(1 / 3, 12);
    expect(dice(one)).toBeCloseTo(0.5, 12);
    expect(dice(one)).toBeCloseTo((2 * iou(one)) / (1 + iou(one)), 12);
    expect(pixelAccuracy(one)).toBeCloseTo(0.75, 12);
    const f = boundaryF(
      counts({ boundaryPredicted: 8, boundaryPredictedMatched: 6, boundaryTruth: 10, boundaryTruthMatched: 5 }),
    );
    expect(f).toBeCloseTo((2 * 0.75 * 0.5) / 1.25, 12);
  });
  it('say nothing where there is nothing', () => {
    expect(iou(counts({}))).toBeNaN();
    expect(dice(counts({}))).toBeNaN();
    expect(boundaryF(counts({}))).toBeNaN();
    expect(boundaryF(counts({ boundaryPredicted: 3, boundaryTruth: 4 }))).toBe(0);
    // The object was removed: what is called object is wrong, but there is nothing to overlap with.
    const gone = counts({ predicted: 40, union: 40, pixels: 100, boundaryPredicted: 9 });
    expect([iou(gone), dice(gone), boundaryF(gone)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(predictedShare(gone)).toBe(0.4);
  });
});

describe('scoreSegmentation', () => {
  const rows = ['original', 'grey'].flatMap((scenario) =>
    Array.from({ length: 12 }, (_, i) => ({
      scenario,
      sample: `s${i}`,
      intersection: scenario === 'original' ? 80 + i : 60 + i,
    })),
  );
  const column = (value: (row: (typeof rows)[number]) => number) => Float64Array.from(rows, value);
  const table = tableFrom({
    model: rows.map(() => 'm'),
    scenario: rows.map(({ scenario }) => scenario),
    sample: rows.map(({ sample }) => sample),
    group: rows.map(() => ''),
    class: rows.map(() => 'object'),
    intersection: column(({ intersection }) => intersection),
    union: column(() => 100),
    predicted: column(() => 90),
    truth: column(() => 100),
    correctPixels: column(() => 900),
    pixels: column(() => 1000),
  });
  const found = scoreSegmentation(table);

  it('averages over images and pairs with original', () => {
    const [original, grey] = found;
    expect(original.iou.mean).toBeCloseTo(0.855, 12);
    expect(original.pooledIou).toBeCloseTo(0.855, 12);
    expect(grey.iou.drop).toBeCloseTo(0.2, 12);
    // Every image loses the same, so the paired drop does not vary although the level does.
    expect(grey.iou.dropCi?.[0]).toBeCloseTo(0.2, 12);
    expect((grey.iou.ci?.[1] ?? 0) - (grey.iou.ci?.[0] ?? 0)).toBeGreaterThan(0.02);
    expect(original.boundaryF.mean).toBeNull();
  });
});

/** Per image: intersection of 100 pixels of truth and prediction alike, so IoU and Dice are easy to tell. */
const segmented = (
  rows: readonly { model: string; scenario: string; sample: string; label: string; shared: number; of?: string }[],
) =>
  tableFrom({
    model: rows.map(({ model }) => model),
    scenario: rows.map(({ scenario }) => scenario),
    sample: rows.map(({ sample }) => sample),
    label: rows.map(({ label }) => label),
    group: rows.map(() => ''),
    class: rows.map(({ of }) => of ?? 'object'),
    intersection: Float64Array.from(rows, ({ shared }) => shared),
    union: Float64Array.from(rows, ({ scenario, shared }) => (scenario === 'no-fg' ? 100 : 200 - shared)),
    predicted: Float64Array.from(rows, () => 100),
    truth: Float64Array.from(rows, ({ scenario }) => (scenario === 'no-fg' ? 0 : 100)),
    pixels: Float64Array.from(rows, () => 1000),
  });

describe('regression', () => {
  const rows = ['a', 'b'].flatMap((model, m) =>
    ['original', 'grey', 'no-fg'].flatMap((scenario, s) =>
      ['cat', 'dog'].flatMap((label, l) =>
        Array.from({ length: 5 }, (_, i) => ({
          model,
          scenario,
          sample: `${label}${i}`,
          label,
          shared: scenario === 'no-fg' ? 0 : 90 - 10 * m - 20 * s - 5 * l + i,
        })),
      ),
    ),
  );
  const table = segmented([
    ...rows,
    ...rows.slice(0, 10).map((row) => ({ ...row, of: row.label, shared: row.shared / 2 })),
  ]);

  it('has one row per model, scenario and class, by the label, over the whole object', () => {
    const cells = segmentationRegression(table, { rows: 'cell' });
    expect(cells.rowCount).toBe(12);
    expect(cells.text('class').levels).toEqual(['cat', 'dog']);
    expect([...cells.numbers('n')]).toEqual(Array(12).fill(5));
    const first = [90, 91, 92, 93, 94].map((shared) => shared / (200 - shared));
    expect(cells.numbers('iou')[0]).toBeCloseTo(first.reduce((sum, value) => sum + value, 0) / 5, 12);
    expect(segmentationFormula(cells)).toBe('iou ~ model + scenario + class');
    expect(segmentationRegression(table, { rows: 'cell', formula: 'iou ~ of' }).rowCount).toBe(14);
  });

  it('gives the effects that were put in, of Dice, without what has no value', () => {
    const cells = segmentationRegression(table, { rows: 'cell' });
    const result = analyze(cells, { formula: 'dice ~ model + scenario + class' });
    // Dice is the shared share here, so the effects are the steps above.
    expect(result.terms.map(({ term, estimate }) => [term, Math.round(1000 * (estimate ?? 0))])).toEqual([
      ['Intercept', 920],
      ['model[b]', -100],
      ['scenario[grey]', -200],
      ['class[dog]', -50],
    ]);
    expect(result.n).toBe(8);
    const images = segmentationRegression(table, { rows: 'image' });
    const perImage = analyze(images, { formula: 'dice ~ model + scenario', cluster: 'sample' });
    expect(perImage.n).toBe(40);
  });

  it('knows its outcomes from those of classification', () => {
    expect(segmentationOutcome('dice ~ model')).toBe('dice');
    expect(segmentationOutcome('log(iou) ~ scenario')).toBe('iou');
    expect(segmentationOutcome('accuracy ~ iou')).toBeUndefined();
    expect(segmentationOutcome(undefined)).toBeUndefined();
  });
});

describe('compareSegmentation', () => {
  const side = (model: string, dices: readonly number[]) =>
    dices.map((shared, i) => ({ model, scenario: 'original', sample: `s${i}`, label: 'cat', shared: 100 * shared }));
  it('pairs image by image, with the P of SciPy 1.10 (ttest_rel)', () => {
    const table = segmented([
      ...side('a', [0.8, 0.81, 0.82, 0.83, 0.9, 0.7]),
      ...side('b', [0.7, 0.75, 0.8, 0.85, 0.86, 0.61]),
    ]);
    const found = compareSegmentation({ table, model: 'a' }, { table, model: 'b' });
    const [dice] = found.filter(({ measure }) => measure === 'dice');
    expect(dice).toMatchObject({ scenario: 'original', class: 'object', pairs: 6 });
    expect(dice.difference).toBeCloseTo(-0.04833333333333334, 12);
    expect(dice.p).toBeCloseTo(0.046177909693458405, 10);
    expect(dice.ci && dice.ci[0] < dice.difference && dice.difference < dice.ci[1]).toBe(true);
    expect(found.map(({ measure }) => measure)).toEqual(['iou', 'dice']);
  });
});
