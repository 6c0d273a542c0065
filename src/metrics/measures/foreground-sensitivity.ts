import { type Accuracies, find } from './accuracies.ts';

/**
 * Hard ImageNet's relative foreground sensitivity (Moayeri et al., 2022): positive where noise on the object hurts more
 * than noise on the background. `(a_bg − a_fg) / (2 min(ā, 1 − ā))`, ā the mean of both; 0 where ā is 0 or 1.
 */
export function relativeForegroundSensitivity(noisyBackground: number, noisyObject: number): number {
  const middle = (noisyBackground + noisyObject) / 2;
  const room = Math.min(middle, 1 - middle);
  return room > 0 ? (noisyBackground - noisyObject) / (2 * room) : 0;
}

export function foregroundSensitivity(accuracies: Accuracies): number | null {
  const [background, object] = [find(accuracies, 'noise-background'), find(accuracies, 'noise-object')];
  return background === undefined || object === undefined ? null : relativeForegroundSensitivity(background, object);
}
