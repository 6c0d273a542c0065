import { describe, expect, it } from 'vitest';
import { tableFrom } from '../analyze/table.ts';
import { boundaryF, countNames, dice, iou, type PixelCounts, pixelAccuracy, predictedShare } from './measures.ts';
import { scoreSegmentation } from './score.ts';

const counts = (values: Partial<PixelCounts>): PixelCounts => ({
  ...(Object.fromEntries(countNames.map((name) => [name, 0])) as unknown as PixelCounts),
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
