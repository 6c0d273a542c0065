import { equalsP, fixedOf, hundredthsOf, rangeOf } from '../../contracts/numbers.ts';
import type { Attention } from './attention.ts';
import type { SaliencySummary } from './summarise.ts';

const two = (value: number) => fixedOf(value, 2);

/** Fewer images give an interval that says nothing. */
const fewestImages = 6;

/** Does attention leave the object before accuracy falls? One sentence for each thing tested. */
export function attentionSentences({ attention, cells }: Pick<SaliencySummary, 'attention' | 'cells'>): string[] {
  const edited = cells.some(({ change }) => change !== null);
  if (!edited) return ['One scenario alone: whether attention moves cannot be said.'];
  return [...whileRightWords(attention), oddsWords(attention), ranksWords(attention), cellWords(attention)].filter(
    Boolean,
  );
}

function whileRightWords({ whileRight }: Attention): string[] {
  const tested = whileRight.filter(({ ci, n }) => ci !== null && n >= fewestImages);
  const several = new Set(tested.map(({ model }) => model)).size > 1;
  return tested.map(({ model, scenario, n, difference, ci }) => {
    const [low, high] = ci as [number, number];
    const of = `${several ? `${model}, ` : ''}${scenario}, ${n} images that stay right: `;
    const change = `${hundredthsOf(difference as number)} points (${hundredthsOf(low)} to ${hundredthsOf(high)})`;
    if (high < 0) return `${of}attention leaves the object before the answer fails, ${change}.`;
    if (low > 0) return `${of}attention moves onto the object, ${change}.`;
    return `${of}no move of attention shown, ${change}.`;
  });
}

function oddsWords({ odds, oddsAtSameArea }: Attention): string {
  if (!odds) return 'Too few failures to say whether background reliance predicts them.';
  const [low, high] = odds.ci;
  const beyondSize = (oddsAtSameArea?.ci[0] ?? 0) > 1;
  const verdict =
    low > 1
      ? beyondSize
        ? 'predicts failing'
        : 'goes with failing, though not shown to beyond what the size of the object explains'
      : high < 1
        ? 'goes with failing less'
        : 'is not shown to predict failing';
  return `Background reliance on the photograph ${verdict}: per ten points more, the odds of losing a right answer change by a factor of ${two(odds.oddsRatio)} (${rangeOf(odds.ci, two)}, ${equalsP(odds.p)}; ${odds.failed} of ${odds.n} variants failed, model and scenario held)${sameAreaWords(oddsAtSameArea)}.`;
}

/** A small object leaves more room for saliency off it, and is harder to recognise anyway. */
function sameAreaWords(odds: Attention['oddsAtSameArea']): string {
  if (!odds) return '';
  return `; with the object's size held as well, ${two(odds.oddsRatio)} (${rangeOf(odds.ci, two)}, ${equalsP(odds.p)})`;
}

function ranksWords({ reliancePredicts }: Attention): string {
  if (!reliancePredicts) return '';
  const { statistic, p: probability, n } = reliancePredicts;
  return `Rank correlation of reliance with the share of scenarios that fail: ρ = ${two(statistic)} (${equalsP(probability)}, ${n} model–image pairs).`;
}

function cellWords({ overScenarios }: Attention): string {
  if (!overScenarios) return '';
  const { statistic, p: probability, n } = overScenarios;
  return `Over ${n} cells of model and scenario, attention lost and accuracy lost correlate at ρ = ${two(statistic)} (${equalsP(probability)}).`;
}
