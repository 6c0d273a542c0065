import { describe, expect, it } from 'vitest';
import { toSegmentationRows } from './segmentation-rows.ts';

const classes = (rows: string[]) => {
  const data = Uint8Array.from(rows.join(''), Number);
  return { kind: 'mask' as const, classes: { width: rows[0].length, height: rows.length, data } };
};
const mask = (rows: string[]) => ({
  width: rows[0].length,
  height: rows.length,
  data: Uint8Array.from(rows.join(''), (v) => (v === '0' ? 0 : 255)),
});
const context = { model: 'm', scenario: 'original', sample: { id: 'a', image: '/a', label: 'cat' }, labels: [] };

describe('toSegmentationRows', () => {
  const truth = mask(['1100', '1100', '0000']);

  it('counts object against background', () => {
    const [row, ...more] = toSegmentationRows(classes(['1110', '0000', '0000']), { ...context, truth });
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      class: 'object',
      intersection: 2,
      union: 5,
      predicted: 3,
      truth: 4,
      correctPixels: 9,
      pixels: 12,
    });
  });

  it("adds the sample's own class where the model has it", () => {
    const rows = toSegmentationRows(classes(['2210', '1100', '0000']), {
      ...context,
      truth,
      labels: ['background', 'dog', 'cat'],
    });
    expect(rows).toMatchObject([
      { class: 'object', intersection: 4, union: 5 },
      { class: 'cat', intersection: 2, union: 4 },
    ]);
  });

  it('leaves pixels of unknown truth out, and with them the boundary', () => {
    const ignore = Uint8Array.from('010001000000', (v) => (v === '1' ? 255 : 0));
    const [row] = toSegmentationRows(classes(['1110', '0000', '0000']), { ...context, truth: { ...truth, ignore } });
    expect(row).toMatchObject({ intersection: 1, union: 3, pixels: 10, boundaryTruth: 0, boundaryPredicted: 0 });
  });

  it('matches equal boundaries fully', () => {
    const [row] = toSegmentationRows(classes(['1100', '1100', '0000']), { ...context, truth });
    expect(row.boundaryTruth).toBeGreaterThan(0);
    expect(row).toMatchObject({
      boundaryTruthMatched: row.boundaryTruth,
      boundaryPredictedMatched: row.boundaryPredicted,
    });
  });

  it('refuses a map of another size, and a failed answer', () => {
    expect(() => toSegmentationRows(classes(['11']), { ...context, truth })).toThrow(
      'segmented 2×1 pixels of a variant of 4×3',
    );
    expect(() => toSegmentationRows({ kind: 'failed', message: 'gone' }, { ...context, truth })).toThrow('gone');
  });
});
