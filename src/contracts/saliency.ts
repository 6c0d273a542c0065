import { z } from 'zod';

export const saliencyMethods = ['occlusion', 'rise', 'cam', 'score-cam', 'eigen-cam'] as const;
export type SaliencyMethod = (typeof saliencyMethods)[number];

export const baselineKinds = ['mean', 'grey', 'blur'] as const;
/** What removed pixels are replaced by: the colour that is zero to the network, middle grey, or the picture blurred. */
export type BaselineKind = (typeof baselineKinds)[number];

export const explainedClasses = ['truth', 'prediction'] as const;
export type ExplainedClass = (typeof explainedClasses)[number];

const share = z.number();

/**
 * Where one model looked in one variant; a row of `saliency/*.parquet`. Negative saliency counts as none. What the crop cut
 * off, padding and a trimap's uncertain border are in none of the numbers. NaN: there is no number (no mask, no saliency).
 */
export const saliencyRowSchema = z.object({
  model: z.string(),
  scenario: z.string(),
  sample: z.string(),
  group: z.string(),
  label: z.string(),
  method: z.enum(saliencyMethods),
  /** The layer whose activations were used; empty for black-box methods. */
  layer: z.string(),
  /** Whose score is explained. */
  explained: z.enum(explainedClasses),
  class: z.string(),
  /** Probability of that class in the untouched variant. */
  score: share,
  correct: z.boolean(),
  /** The object's share of the pixels that the network was shown. */
  areaShare: share,
  /** Share of the saliency that lies on the object. */
  shareOnObject: share,
  /** That share over the object's share of the area; 1: no better than chance. */
  energyRatio: share,
  /** Background reliance: the share off the object. */
  reliance: share,
  /** Pointing game: the largest value lies on the object (1) or not (0). */
  pointing: share,
  /** IoU of the object with as many of the most salient pixels as it has. */
  iou: share,
  deletion: share,
  insertion: share,
  /** Of all saliency, positive and negative, the share that was negative. */
  negativeShare: share,
  /** Share of the object that the crop left in the picture. */
  objectShown: share,
  /** Pictures the model was asked about for the map. */
  evaluations: z.number().int(),
  /** Reliability of the map (RISE): correlation of its two halves, stepped up to their sum (Spearman–Brown). */
  reliability: share,
});
/** No two rows of a run agree in all of these. */
export const saliencyKey = ['model', 'scenario', 'sample'] as const;
export type SaliencyRow = z.infer<typeof saliencyRowSchema>;

/** `saliency/index.json`: what was explained last and how. */
export const saliencyIndexSchema = z.object({
  /** How the samples were chosen; `flipped` ones are no fair sample of all. */
  selection: z.object({ kind: z.enum(['stratified', 'random', 'flipped', 'named', 'all']), words: z.string() }),
  samples: z.array(z.string()),
  scenarios: z.array(z.string()),
  models: z.array(
    z.object({
      model: z.string(),
      method: z.enum(saliencyMethods),
      layer: z.string(),
      /** Why this method, and what was found when it was checked. */
      why: z.string(),
    }),
  ),
  explained: z.enum(explainedClasses),
  baseline: z.enum(baselineKinds),
  steps: z.number().int(),
});
export type SaliencyIndex = z.infer<typeof saliencyIndexSchema>;

/**
 * A file's name for any name, another one for each: what a file system may not take, or takes for a folder (`..`), stands as
 * `~` and its code; a colon as `@`.
 */
const safe = (name: string) =>
  name.replaceAll(/[^\w:.+=-]|^\./g, (character) => `~${character.codePointAt(0)?.toString(16)}~`).replaceAll(':', '@');

/** Where the overlay of a variant lies below `saliency/`: `large` for people, `small` for the report. */
export const overlayPath = (
  { model, scenario, sample }: { model: string; scenario: string; sample: string },
  size: 'large' | 'small',
): string =>
  size === 'large'
    ? `pictures/${safe(model)}/${safe(scenario)}/${safe(sample)}.jpg`
    : `small/${safe(model)}/${safe(scenario)}/${safe(sample)}.webp`;
