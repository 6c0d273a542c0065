import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryCounts } from '../image/boundary-counts.ts';
import { squaredDistance } from '../image/distance.ts';
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

  it('leaves pixels of unknown truth out', () => {
    const ignore = Uint8Array.from('010001000000', (v) => (v === '1' ? 255 : 0));
    const [row] = toSegmentationRows(classes(['1110', '0000', '0000']), { ...context, truth: { ...truth, ignore } });
    expect(row).toMatchObject({ intersection: 1, union: 3, pixels: 10 });
  });

  it('knows that there is nothing to find where the object is removed', () => {
    const [row] = toSegmentationRows(classes(['1110', '0000', '0000']), { ...context, scenario: 'no-fg', truth });
    expect(row).toMatchObject({ intersection: 0, union: 3, predicted: 3, truth: 0, boundaryTruth: 0, pixels: 12 });
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

interface Case {
  height: number;
  width: number;
  predicted: number[];
  truth: number[];
  band: number[];
  expected: Record<string, number>;
}

/** Runs row by row, first run background. */
const fromRuns = (runs: readonly number[], size: number) => {
  const data = new Uint8Array(size);
  let at = 0;
  for (const [i, run] of runs.entries()) {
    if (i % 2) data.fill(255, at, at + run);
    at += run;
  }
  return data;
};

describe('against NumPy, SciPy and scikit-image', () => {
  const { cases } = JSON.parse(
    readFileSync(new URL('../../test/fixtures/segmentation/segmentation.json', import.meta.url), 'utf8'),
  ) as { cases: Case[] };

  it.each(
    cases.map(
      (one) => [`${one.width}×${one.height}${one.band.length > 1 ? ' with an uncertain band' : ''}`, one] as const,
    ),
  )('%s', (_, { width, height, expected, ...runs }) => {
    const [predicted, data, band] = [runs.predicted, runs.truth, runs.band].map((own) => fromRuns(own, width * height));
    const truth = { width, height, data, ...(runs.band.length > 1 && { ignore: band }) };
    const answer = { kind: 'mask' as const, classes: { width, height, data: predicted.map((value) => value && 1) } };
    const [row] = toSegmentationRows(answer, { ...context, truth });
    expect(row.intersection / row.union).toBeCloseTo(expected.iou, 12);
    expect((2 * row.intersection) / (row.predicted + row.truth)).toBeCloseTo(expected.dice, 12);
    for (const name of [
      'boundaryPredicted',
      'boundaryTruth',
      'boundaryPredictedMatched',
      'boundaryTruthMatched',
    ] as const)
      expect([name, row[name]]).toEqual([name, expected[name]]);
  });
});

describe('the outline of a trimap', () => {
  const [width, height] = [60, 50];
  const disc = (radius: number) => (i: number) => Math.hypot((i % width) - 30, Math.floor(i / width) - 25) < radius;
  const plane = (inside: (i: number) => boolean) =>
    Uint8Array.from({ length: width * height }, (_, i) => (inside(i) ? 255 : 0));
  const truth = { width, height, data: plane(disc(17)), ignore: plane((i) => disc(17)(i) && !disc(13)(i)) };
  const f = (radius: number) => {
    const counts = boundaryCounts({ width, height, data: plane(disc(radius)) }, truth);
    return [
      counts.boundaryPredictedMatched / counts.boundaryPredicted,
      counts.boundaryTruthMatched / counts.boundaryTruth,
    ];
  };
  it('is right wherever in the band it runs, and a tolerance beyond', () => {
    // 0.008 of the diagonal, rounded up, is one pixel here.
    for (const radius of [13, 14, 15, 16, 17]) expect(f(radius)).toEqual([1, 1]);
  });
  it('is wrong well inside and well outside of it', () => {
    expect(f(8)[0]).toBe(0);
    expect(f(22)).toEqual([0, 0]);
  });
});

describe('squaredDistance', () => {
  it('is the nearest marked pixel, by trying all', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
        (width, marks) => {
          const height = Math.ceil(marks.length / width);
          const marked = Array.from({ length: width * height }, (_, i) => marks[i] ?? false);
          const found = squaredDistance({ width, height }, (i) => marked[i]);
          for (let i = 0; i < found.length; i++) {
            const all = marked.flatMap((is, j) =>
              is ? [((i % width) - (j % width)) ** 2 + (Math.floor(i / width) - Math.floor(j / width)) ** 2] : [],
            );
            if (all.length) expect(found[i]).toBe(Math.min(...all));
            else expect(found[i]).toBeGreaterThan(1e9);
          }
        },
      ),
    );
  });
});
