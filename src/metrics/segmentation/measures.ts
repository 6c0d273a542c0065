import type { ColumnTable } from '../analyze/table.ts';

const noPixels = {
  ...{ intersection: 0, union: 0, predicted: 0, truth: 0, correctPixels: 0, pixels: 0 },
  ...{ boundaryPredicted: 0, boundaryTruth: 0, boundaryPredictedMatched: 0, boundaryTruthMatched: 0 },
};

/** Pixels of one class, in one image or summed over many. */
export type PixelCounts = Readonly<typeof noPixels>;

/** The counts of a table's rows, one row at a time; a column that it lacks is zero. */
export function countsOf(table: ColumnTable): (row: number) => PixelCounts {
  const names = (Object.keys(noPixels) as (keyof PixelCounts)[]).filter((name) => table.has(name));
  const columns = names.map((name) => ({ name, values: table.numbers(name) }));
  return (row) => {
    const counts = { ...noPixels };
    for (const { name, values } of columns) counts[name] = values[row];
    return counts;
  };
}

/** Intersection over union; NaN where the truth has no such pixel: there is nothing to find (the object was removed). */
export const iou = ({ intersection, union, truth }: Pick<PixelCounts, 'intersection' | 'union' | 'truth'>): number =>
  truth > 0 ? intersection / union : Number.NaN;

/** Dice's coefficient, 2|A∩B| / (|A| + |B|). */
export const dice = ({
  intersection,
  predicted,
  truth,
}: Pick<PixelCounts, 'intersection' | 'predicted' | 'truth'>): number =>
  truth > 0 ? (2 * intersection) / (predicted + truth) : Number.NaN;

export const pixelAccuracy = ({ correctPixels, pixels }: Pick<PixelCounts, 'correctPixels' | 'pixels'>): number =>
  pixels > 0 ? correctPixels / pixels : Number.NaN;

/** Share of the picture that the prediction calls object; where the object was removed, all that is left to say. */
export const predictedShare = ({ predicted, pixels }: Pick<PixelCounts, 'predicted' | 'pixels'>): number =>
  pixels > 0 ? predicted / pixels : Number.NaN;

/** Harmonic mean of the shares of outline pixels that lie within the tolerance of the other outline. */
export function boundaryF(counts: PixelCounts): number {
  const { boundaryPredicted, boundaryTruth, boundaryPredictedMatched, boundaryTruthMatched } = counts;
  if (boundaryTruth === 0) return Number.NaN;
  const precision = boundaryPredicted > 0 ? boundaryPredictedMatched / boundaryPredicted : 0;
  const recall = boundaryTruthMatched / boundaryTruth;
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

export const segmentationMeasures = { iou, dice, boundaryF, pixelAccuracy, predictedShare } as const;
export type SegmentationMeasure = keyof typeof segmentationMeasures;
