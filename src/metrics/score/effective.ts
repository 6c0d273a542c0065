/** A model's accuracy on the original images and over the shifted ones. */
export interface Shifted {
  readonly model: string;
  readonly original: number;
  readonly shifted: number;
  readonly n: number;
}

const logit = (p: number) => Math.log(p / (1 - p));
const expit = (x: number) => 1 / (1 + Math.exp(-x));

/**
 * Effective robustness (Taori et al., 2020, §3.1): accuracy under the shift beyond what the line logit(shifted) =
 * a + b logit(original) through the models foretells. Needs three models of different accuracy; shares of 0 and 1 are
 * drawn in by half an image.
 */
export function effectiveRobustness(models: readonly Shifted[]): Map<string, number> {
  const inside = (share: number, n: number) => Math.min(1 - 0.5 / n, Math.max(0.5 / n, share));
  const x = models.map(({ original, n }) => logit(inside(original, n)));
  const y = models.map(({ shifted, n }) => logit(inside(shifted, n)));
  const centre = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [centre(x), centre(y)];
  const spread = x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
  if (models.length < 3 || spread < 1e-12) return new Map();
  const slope = x.reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0) / spread;
  return new Map(models.map(({ model, shifted }, i) => [model, shifted - expit(my + slope * (x[i] - mx))]));
}
