import type { SegmentationScore, SegmentationValue } from '../../contracts/score.ts';
import { randomFor } from '../../stats/random.ts';
import { groupBy } from '../analyze/collapse.ts';
import type { ColumnTable } from '../analyze/table.ts';
import { type Draws, drawResamples, expandedInterval, resampledRatio } from '../score/resample.ts';
import { originalScenario } from '../table/cells.ts';
import { clustersOf, rowsByCell } from '../table/predictions.ts';
import { countsOf, iou, type SegmentationMeasure, segmentationMeasures } from './measures.ts';

const measureNames = Object.keys(segmentationMeasures) as SegmentationMeasure[];

/** IoU, Dice, pixel accuracy and boundary F per model, scenario and class, images resampled by group, else by image. */
export function scoreSegmentation(
  table: ColumnTable,
  { seed = 0, bootstrap = 1000 }: { seed?: number; bootstrap?: number } = {},
): SegmentationScore[] {
  const [model, scenario, sample] = ['model', 'scenario', 'sample'].map((name) => table.text(name));
  const classes = table.text('class');
  const countsAt = countsOf(table);
  const cluster = clustersOf(table, sample);
  const draws = drawResamples(cluster.count, { random: randomFor('segmentation', seed), replicates: bootstrap });
  const { cell, first } = groupBy([model, classes, scenario], table.rowCount);
  const { rows, starts } = rowsByCell(cell);
  const cells = [...first].map((row, c) => {
    const own = rows.subarray(starts[c], starts[c + 1]);
    const each = [...own].map(countsAt);
    return {
      model: model.levels[model.codes[row]],
      class: classes.levels[classes.codes[row]],
      scenario: scenario.levels[scenario.codes[row]],
      samples: [...own].map((at) => sample.codes[at]),
      clusters: [...own].map((at) => cluster.codes[at]),
      values: Object.fromEntries(
        measureNames.map((name) => [name, each.map((one) => segmentationMeasures[name](one))]),
      ) as Record<SegmentationMeasure, number[]>,
      pooled: iou({
        intersection: each.reduce((sum, one) => sum + one.intersection, 0),
        union: each.reduce((sum, one) => sum + one.union, 0),
        truth: each.reduce((sum, one) => sum + one.truth, 0),
      }),
    };
  });
  return cells.map((own): SegmentationScore => {
    const original =
      own.scenario === originalScenario
        ? undefined
        : cells.find(
            (other) => other.model === own.model && other.class === own.class && other.scenario === originalScenario,
          );
    const measured = (name: SegmentationMeasure) => valuesFor(own, original, name, draws);
    return {
      model: own.model,
      scenario: own.scenario,
      class: own.class,
      n: own.samples.length,
      pooledIou: Number.isNaN(own.pooled) ? null : own.pooled,
      iou: measured('iou'),
      dice: measured('dice'),
      pixelAccuracy: measured('pixelAccuracy'),
      boundaryF: measured('boundaryF'),
      predictedShare: measured('predictedShare'),
    };
  });
}

interface Images {
  readonly samples: number[];
  readonly clusters: number[];
  readonly values: Record<SegmentationMeasure, number[]>;
}

function valuesFor(
  own: Images,
  original: Images | undefined,
  name: SegmentationMeasure,
  draws: Draws,
): SegmentationValue {
  const level = summarise(own.clusters, own.values[name], draws);
  if (!original) return { ...level, drop: null, dropCi: null };
  const before = new Map(original.samples.map((sample, i) => [sample, original.values[name][i]]));
  const differences = own.samples.map((sample, i) => (before.get(sample) ?? Number.NaN) - own.values[name][i]);
  const { mean: drop, ci: dropCi } = summarise(own.clusters, differences, draws);
  return { ...level, drop, dropCi };
}

function summarise(clusters: readonly number[], values: readonly number[], draws: Draws) {
  const [sum, n] = [new Float64Array(draws.clusters), new Float64Array(draws.clusters)];
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    sum[clusters[i]] += value;
    n[clusters[i]]++;
  }
  const total = n.reduce((all, one) => all + one, 0);
  if (total === 0) return { mean: null, ci: null };
  const present = n.reduce((all, one) => all + (one > 0 ? 1 : 0), 0);
  const mean = sum.reduce((all, one) => all + one, 0) / total;
  return { mean, ci: expandedInterval(resampledRatio(draws, sum, n), present) };
}
