import type { SegmentationDifference } from '../../contracts/comparison.ts';
import { UserError } from '../../contracts/errors.ts';
import { holm } from '../../stats/multiple.ts';
import { randomFor } from '../../stats/random.ts';
import { tTwoSided } from '../../stats/student-t.ts';
import { type ColumnTable, isMissing } from '../analyze/table.ts';
import { sampleNames } from '../compare/sample-names.ts';
import { drawResamples, expandedInterval, resampledRatio } from '../score/resample.ts';
import { countsOf, type SegmentationMeasure, segmentationMeasures } from './measures.ts';

export interface SegmentationSide {
  readonly table: ColumnTable;
  readonly model: string;
}

const compared = ['iou', 'dice', 'boundaryF'] as const satisfies SegmentationMeasure[];

interface Image {
  readonly cluster: string;
  readonly values: Readonly<Record<SegmentationMeasure, number>>;
}

/**
 * Two segmentation models, or one in two runs, image by image: mean IoU, Dice and boundary F of each, and B − A with an
 * interval from images (or groups) resampled together and a paired t test over them; Holm over the rows of a measure.
 */
export function compareSegmentation(
  a: SegmentationSide,
  b: SegmentationSide,
  { seed = 0, bootstrap = 1000 }: { seed?: number; bootstrap?: number } = {},
): SegmentationDifference[] {
  const names = sampleNames(a.table.text('sample').levels, b.table.text('sample').levels);
  const name = (sample: string) => (names.parts ? names.name(sample) : sample);
  const [inA, inB] = [imagesOf(a, name), imagesOf(b, name)];
  const shared = [...inA.keys()].filter((key) => inB.has(key));
  if (!shared.length) throw new UserError('Nothing to compare: the segmentations have no scenario in common');
  const all = shared.flatMap((key) => [...(inA.get(key) as Map<string, Image>).values()].map(({ cluster }) => cluster));
  const place = new Map([...new Set(all)].map((cluster, i) => [cluster, i]));
  const draws = drawResamples(place.size, { random: randomFor('compare segmentation', seed), replicates: bootstrap });
  const found = compared.flatMap((measure) => {
    const rows = shared.flatMap((key) => {
      const [scenario, of] = JSON.parse(key) as [string, string];
      const [own, other] = [inA.get(key) as Map<string, Image>, inB.get(key) as Map<string, Image>];
      const [sum, n] = [new Float64Array(place.size), new Float64Array(place.size)];
      const [totals, images] = [[0, 0], { count: 0 }];
      for (const [sample, { cluster, values }] of own) {
        const [x, y] = [values[measure], other.get(sample)?.values[measure] ?? Number.NaN];
        if (Number.isNaN(x) || Number.isNaN(y)) continue;
        const at = place.get(cluster) as number;
        sum[at] += y - x;
        n[at]++;
        totals[0] += x;
        totals[1] += y;
        images.count++;
      }
      if (!images.count) return [];
      const difference = (totals[1] - totals[0]) / images.count;
      const { clusters, p } = pairedTest(sum, n, difference, images.count);
      const ci = expandedInterval(resampledRatio(draws, sum, n), clusters);
      const [meanA, meanB] = totals.map((total) => total / images.count);
      return [{ measure, scenario, class: of, pairs: images.count, a: meanA, b: meanB, difference, ci, p }];
    });
    const corrected = holm(rows.map(({ p }) => p ?? Number.NaN));
    return rows.map((row, i) => ({ ...row, pHolm: row.p === null ? null : corrected[i] }));
  });
  return found;
}

/** By clusters, each counting with its images. */
function pairedTest(sum: Float64Array, n: Float64Array, difference: number, images: number) {
  let [variance, clusters] = [0, 0];
  for (let g = 0; g < sum.length; g++) {
    if (!n[g]) continue;
    clusters++;
    variance += ((sum[g] - difference * n[g]) / images) ** 2;
  }
  const se = Math.sqrt((variance * clusters) / Math.max(1, clusters - 1));
  if (clusters < 2) return { clusters, p: null };
  return { clusters, p: se > 0 ? tTwoSided(difference / se, clusters - 1) : difference === 0 ? 1 : 0 };
}

function imagesOf({ table, model }: SegmentationSide, name: (sample: string) => string) {
  const [models, scenarios, samples, classes] = ['model', 'scenario', 'sample', 'class'].map((own) => table.text(own));
  const group = table.has('group') ? table.text('group') : undefined;
  const countsAt = countsOf(table);
  const found = new Map<string, Map<string, Image>>();
  for (let row = 0; row < table.rowCount; row++) {
    if (models.levels[models.codes[row]] !== model) continue;
    const key = JSON.stringify([scenarios.levels[scenarios.codes[row]], classes.levels[classes.codes[row]]]);
    const sample = name(samples.levels[samples.codes[row]]);
    const grouped = group?.levels[group.codes[row]] ?? '';
    const own = countsAt(row);
    const values = Object.fromEntries(
      Object.entries(segmentationMeasures).map(([measure, of]) => [measure, of(own)]),
    ) as Record<SegmentationMeasure, number>;
    const images = found.get(key) ?? new Map<string, Image>();
    found.set(key, images.set(sample, { cluster: isMissing(grouped.trim()) ? `image ${sample}` : grouped, values }));
  }
  return found;
}
