import type { FailureMode, MiningRecord } from './mining.ts';
import { fixedOf, hundredthsOf, percentOf, withRangeOf } from './numbers.ts';

type Estimate = MiningRecord['transfer'][number]['fall'];

export const pointsText = ({ estimate, ci }: Estimate): string => withRangeOf(estimate, ci, hundredthsOf);

interface QuestionAgreement {
  readonly question: string;
  readonly alpha: number;
  readonly ci: readonly [number, number];
}

/** How far reviewers agree on a question. */
export const agreementText = ({ question, alpha, ci }: QuestionAgreement): string =>
  `${question}: Krippendorff's α ${withRangeOf(alpha, ci, (value) => fixedOf(value, 2))}`;

/** What was chosen, in a sentence. */
export const selectionSentence = ({ selection, pool, chosen }: MiningRecord): string =>
  `${chosen.length} of ${pool.pictures} pictures are hard: at least ${selection.atLeast} of ${selection.surrogates.length} surrogates (${selection.surrogates.join(', ')}) fail them.`;

/** Does failing the surrogates predict failing an unseen model? */
export function transferSentence({ transfer }: MiningRecord): string {
  const held = transfer.filter(({ role }) => role === 'target');
  if (!held.length) return 'No model was held out, so whether the failures transfer is not known.';
  const by = (test: (row: (typeof held)[number]) => boolean) => held.filter(test).map(({ model }) => model);
  const yes = by(({ fall }) => fall.ci[0] > 0);
  const no = by(({ fall }) => fall.ci[1] < 0);
  const open = by(({ fall }) => fall.ci[0] <= 0 && fall.ci[1] >= 0);
  return [
    yes.length && `The failures transfer to ${yes.join(', ')}: unseen, they lose on this set too.`,
    no.length && `${no.join(', ')} do better here than on a random set.`,
    open.length && `Whether they transfer to ${open.join(', ')} is not settled: the interval holds nought.`,
  ]
    .filter(Boolean)
    .join(' ');
}

export function freshSentence({ freshSeed, transfer }: MiningRecord): string {
  const held = new Set(transfer.filter(({ role }) => role === 'target').map(({ model }) => model));
  const rows = (freshSeed ?? []).filter(({ model }) => held.has(model));
  if (!rows.length) return 'One seed of each prompt: how much of the fall is the luck of being chosen is not known.';
  return `On other pictures of the same prompts: ${rows.map(({ model, freshSeed: fresh }) => `${model} ${pointsText(fresh)}`).join(', ')} points lost; the rest is the luck of being chosen.`;
}

export function curveSentence({ curve }: MiningRecord): string {
  const steps = curve.points
    .map(({ surrogates, accuracy }) => `${surrogates}: ${percentOf(accuracy.estimate)}`)
    .join(', ');
  const flat = curve.flattensAt === null ? 'no flattening shown' : `flat from ${curve.flattensAt} on`;
  return `Accuracy of the held-out models by number of surrogates: ${steps} (${flat}).`;
}

const modeTitles: Record<FailureMode['by'], string> = {
  kind: 'kind of nuisance',
  nuisance: 'nuisance',
  class: 'class',
  confusion: 'confused class',
  saliency: 'saliency',
  cluster: 'look-alikes',
};

/** A mode by its property and value; a cluster by what its pictures share. */
export function modeName({ by, value, shares }: FailureMode): string {
  if (by !== 'cluster') return `${modeTitles[by]}: ${value}`;
  const shared = shares.map(({ value: of, share }) => `${of} ${percentOf(share, 0)}`).join(', ');
  return `${modeTitles[by]}: cluster ${value}${shared ? ` (${shared})` : ''}`;
}

/** What one can do about a mode. */
export function modeAdvice({ by, value }: FailureMode): string {
  switch (by) {
    case 'kind':
    case 'nuisance':
      return `collect or generate pictures with ${value} and train on them`;
    case 'class':
      return `look at the labels of ${value}, then add pictures of it`;
    case 'confusion':
      return 'look whether both are in the picture; if not, add pictures that tell the two apart';
    case 'saliency':
      return 'train with other backgrounds, or crop to the object (sceneshift helps tries what helps)';
    case 'cluster':
      return 'look at the pictures, name what they share, and collect more of it';
  }
}

/** Modes that are more than chance after the correction. */
export const shownModes = ({ modes }: MiningRecord): FailureMode[] =>
  modes.filter(({ pCorrected }) => pCorrected < 0.05);
