import type { Verdict } from '../../contracts/verdict.ts';
import { type Border, borderOf, withoutBorder } from '../../scenarios/paste.ts';
import { declarationOf } from '../../scenarios/registry.ts';
import { type AnswerCell, originalScenario } from '../table/cells.ts';
import type { Predictions } from '../table/predictions.ts';
import { type PairedLoss, pairedLoss } from './loss.ts';
import { verdictSentence } from './verdict-sentence.ts';

/** Five points. */
export const defaultMargin = 0.05;

export interface VerdictOptions {
  readonly margin?: number;
  /** The model hardly beats guessing on the photographs as they are: it has nothing to lose. */
  readonly guessing?: boolean;
}

/**
 * Does this model lean on the scene? The same objects before other backgrounds against the same objects pasted back onto
 * their own. Only these scenarios decide: whatever else was run changes nothing.
 */
export function sceneVerdict(
  predictions: Predictions,
  cells: readonly AnswerCell[],
  { margin = defaultMargin, guessing = false }: VerdictOptions = {},
): Omit<Verdict, 'words'> {
  const others = backgroundCells(cells, 'auto');
  const original = cells.find(({ scenario }) => scenario === originalScenario);
  const pasted = pastedCell(cells, 'auto');
  const before = pasted ?? original;
  const loss = before && others.length ? pairedLoss(predictions, before, others) : undefined;
  const pasting = original && pasted ? pairedLoss(predictions, original, [pasted]) : undefined;
  const shared = {
    margin,
    scenarios: others.map(({ scenario }) => scenario),
    pasting: pasting?.estimate ?? null,
    images: loss?.images ?? 0,
  };
  if (!loss) return { ...shared, answer: 'not-measured', reason: null, loss: null, imagesNeeded: null };
  const judged = judge(loss, margin);
  const border = borderRange(predictions, cells, margin);
  const found = { ...shared, loss: shown(loss), ...(border && { border }) };
  if (guessing) return { ...found, answer: 'not-settled', reason: 'guessing', imagesNeeded: null };
  // Without paste-back a loss may be the pasting's; that nothing is lost needs no such excuse.
  if (!pasted && judged !== 'does-not')
    return { ...found, answer: 'not-settled', reason: 'no-paste-back', imagesNeeded: null };
  return {
    ...found,
    answer: judged,
    reason: null,
    imagesNeeded: judged === 'not-settled' ? needed(loss, margin) : null,
  };
}

/** The verdict with its sentence. */
export function verdictOf(
  model: string,
  predictions: Predictions,
  cells: readonly AnswerCell[],
  options: VerdictOptions = {},
): Verdict {
  const verdict = sceneVerdict(predictions, cells, options);
  return { ...verdict, words: verdictSentence(model, verdict) };
}

export function judge({ estimate, ci }: Pick<PairedLoss, 'estimate' | 'ci'>, margin: number): Verdict['answer'] {
  if (ci[0] > 0 && estimate > margin) return 'leans';
  return ci[1] < margin ? 'does-not' : 'not-settled';
}

/**
 * Images at which the interval, shrinking with the root of their number, would no longer reach 0 (above the margin) or
 * the margin (below it). No number is enough for a loss that equals the margin.
 */
function needed({ estimate, ci, images }: PairedLoss, margin: number): number | null {
  const ratio = estimate > margin ? (estimate - ci[0]) / estimate : (ci[1] - estimate) / (margin - estimate);
  const count = images * ratio ** 2;
  if (!Number.isFinite(count) || count > 1e7) return null;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.max(images + 1, Math.ceil(count / step) * step);
}

const shown = ({ estimate, ci }: PairedLoss) => ({ estimate, ci: [ci[0], ci[1]] as [number, number] });

const backgroundCells = (cells: readonly AnswerCell[], border: Border): AnswerCell[] =>
  cells.filter(({ scenario }) => declarationOf(scenario)?.otherBackground && borderOf(scenario) === border);

const pastedCell = (cells: readonly AnswerCell[], border: Border): AnswerCell | undefined =>
  cells.find(({ scenario }) => declarationOf(scenario)?.id === 'paste-back' && borderOf(scenario) === border);

/**
 * The loss with the masks' uncertain pixels counted to the object and to the background, and whether the verdict or the
 * size of the loss depends on it.
 */
function borderRange(predictions: Predictions, cells: readonly AnswerCell[], margin: number): Verdict['border'] {
  const counted = (border: Border) => {
    const before = pastedCell(cells, border) ?? pastedCell(cells, 'auto');
    const after = backgroundCells(cells, border);
    const loss = before && after.length ? pairedLoss(predictions, before, after) : undefined;
    return loss && { loss, names: after.map(({ scenario }) => withoutBorder(scenario)) };
  };
  const [object, background] = [counted('with-border'), counted('without-border')];
  if (!object || !background) return undefined;
  return {
    object: shown(object.loss),
    background: shown(background.loss),
    scenarios: [...new Set([...object.names, ...background.names])],
    decides: judge(object.loss, margin) !== judge(background.loss, margin),
    apart: Math.abs(object.loss.estimate - background.loss.estimate) > margin,
  };
}
