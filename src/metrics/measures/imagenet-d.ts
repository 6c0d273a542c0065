import type { Accuracies } from './accuracies.ts';

export interface ImagenetD {
  readonly background: number | null;
  readonly texture: number | null;
  readonly material: number | null;
  /** Over all images, each counting once: not the mean of the three. */
  readonly overall: number;
  /** Against `original`, where that was run. */
  readonly drop: number | null;
}

const nuisances = ['background', 'texture', 'material'] as const;

/** ImageNet-D's accuracy per nuisance and over all images (Zhang et al., 2024). */
export function imagenetD(accuracies: Accuracies): ImagenetD | null {
  const cells = nuisances.map((nuisance) => accuracies.get(nuisance));
  const present = cells.filter((cell) => cell !== undefined);
  if (!present.length) return null;
  const images = present.reduce((sum, { n }) => sum + n, 0);
  const overall = present.reduce((sum, { accuracy, n }) => sum + accuracy * n, 0) / images;
  const [background, texture, material] = cells.map((cell) => cell?.accuracy ?? null);
  const original = accuracies.get('original')?.accuracy;
  return { background, texture, material, overall, drop: original === undefined ? null : original - overall };
}
