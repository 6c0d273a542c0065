import { listWords, percentOf as percent } from '../../contracts/numbers.ts';
import type { RankedModel, RankMeasure } from '../../contracts/rank.ts';

const names: Record<RankMeasure, string> = {
  accuracy: 'accuracy',
  balanced: 'balanced accuracy',
  auroc: 'AUROC',
};

/** Which to take, in a sentence or three. */
export function rankSentence(models: readonly RankedModel[], by: RankMeasure): string {
  const [first, ...others] = models;
  const level = `${names[by]} ${percent(first.shifted.value)} over the shifts, worst ${percent(first.worst.value)} (${first.worst.shift})`;
  if (!others.length) return `${first.model}: ${level}.`;
  const equal = others.filter(({ contender }) => contender);
  const worse = others.filter(({ contender }) => !contender);
  const opening = `${first.model} does best, ${level}; it comes first in ${percent(first.best, 0)} of the re-drawn samples.`;
  const doubt = equal.length
    ? ` ${list(equal)} cannot be told from it: take the one that is cheaper, or test more images.`
    : '';
  return `${opening}${doubt}${worse.length ? ` ${list(worse)} ${worse.length === 1 ? 'is' : 'are'} worse by more than chance.` : ''}`;
}

const list = (models: readonly RankedModel[]) => listWords(models.map(({ model }) => model));
