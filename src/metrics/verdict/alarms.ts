import { percentOf as percent } from '../../contracts/numbers.ts';
import type { ScenarioScore } from '../../contracts/score.ts';
import type { Alarm } from '../../contracts/verdict.ts';

/** Of the way from guessing to always right; below it a model has next to nothing to lose. */
const leastSkill = 0.1;
/** Of the answers right among the dataset's own classes; below it the model mostly answers something else. */
const leastShare = 0.2;

/**
 * What makes a model's other numbers doubtful, from its accuracy on the photographs as they are. Guessing is one of the
 * dataset's own classes at random.
 */
export function alarmsFor(model: string, original: ScenarioScore | undefined, classes: number): Alarm[] {
  if (!original || classes < 1) return [];
  const { top1, top1Own } = original;
  const accuracy = top1Own ?? top1;
  const chance = classes > 1 ? 1 / classes : 0;
  const skill = (accuracy - chance) / (1 - chance);
  if (skill < leastSkill)
    return [
      {
        kind: 'guessing',
        model,
        words: `${model} names ${percent(accuracy)} of the photographs as they are, near the ${percent(chance)} of guessing: labels or preprocessing are probably wrong, and no other number about it means anything. See sceneshift models inspect MODEL --data DIR.`,
      },
    ];
  if (top1Own !== null && top1 < leastShare * top1Own)
    return [
      {
        kind: 'outside',
        model,
        words: `${model} names ${percent(top1)} of the photographs over all its outputs but ${percent(top1Own)} among the dataset's own classes: most of its answers are none of these classes, so its labels may be matched wrongly; look at them, or count with --own.`,
      },
    ];
  return [];
}

/** A model that is tested on photographs it was trained on, as its own list beside it says. */
export const trainedOnAlarm = (model: string, { seen, of }: { seen: number; of: number }): Alarm => ({
  kind: 'trained-on-these',
  model,
  words: `${model} was trained on ${seen} of these ${of} photographs: how right it is on them, and what it loses, says nothing about photographs it has not seen.`,
});
