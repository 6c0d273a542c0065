import { type Accuracies, mean } from './accuracies.ts';

/** AlexNet's mean error over the five severities, by which ImageNet-C divides (constants as in easyrobust's evaluation). */
const alexnetErrors: Record<string, number> = {
  'gaussian-noise': 0.886428,
  'shot-noise': 0.894468,
  'impulse-noise': 0.92264,
  'defocus-blur': 0.81988,
  'glass-blur': 0.826268,
  'motion-blur': 0.785948,
  'zoom-blur': 0.79836,
  snow: 0.866816,
  frost: 0.826572,
  fog: 0.819324,
  brightness: 0.564592,
  contrast: 0.853204,
  elastic: 0.646056,
  pixelate: 0.71784,
  jpeg: 0.6065,
};
/** AlexNet's error on clean ImageNet (top-1 accuracy 56.52 %), for the relative measure. */
const alexnetCleanError = 0.4348;

const severities = [1, 2, 3, 4, 5];

export interface ImagenetC {
  /** Corruption error: the sum of errors over the severities, over AlexNet's. */
  readonly ce: Record<string, number>;
  /** Mean over the fifteen; null unless all are there at all severities. */
  readonly mce: number | null;
  /** The same with each model's clean error taken off first; null without `original`. */
  readonly relativeMce: number | null;
}

/** CE, mCE and relative mCE of ImageNet-C (Hendrycks and Dietterich, 2019), for corruptions of the whole image. */
export function imagenetC(accuracies: Accuracies): ImagenetC | null {
  const errors: Record<string, number> = {};
  for (const corruption of Object.keys(alexnetErrors)) {
    const cells = severities.map((severity) => accuracies.get(`${corruption}:${severity}`));
    if (cells.every((cell) => cell !== undefined)) errors[corruption] = mean(cells.map((cell) => 1 - cell.accuracy));
  }
  const names = Object.keys(errors);
  if (!names.length) return null;
  const complete = names.length === Object.keys(alexnetErrors).length;
  const clean = accuracies.get('original');
  const cleanError = clean && 1 - clean.accuracy;
  const ce = Object.fromEntries(names.map((name) => [name, errors[name] / alexnetErrors[name]]));
  return {
    ce,
    mce: complete ? mean(Object.values(ce)) : null,
    relativeMce:
      complete && cleanError !== undefined
        ? mean(names.map((name) => (errors[name] - cleanError) / (alexnetErrors[name] - alexnetCleanError)))
        : null,
  };
}
