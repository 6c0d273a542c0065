import type { MiningRecord } from '../../contracts/mining.ts';
import {
  curveSentence,
  freshSentence,
  modeAdvice,
  modeName,
  pointsText,
  selectionSentence,
  shownModes,
  transferSentence,
} from '../../contracts/mining-words.ts';
import { fixedOf, percentOf, probabilityOf, rangeOf } from '../../contracts/numbers.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import type { AttackedModel } from '../../mine/attack-run.ts';
import { table } from './table.ts';

/** What mining found, in a screen. */
export function miningText(record: MiningRecord, { full = false }: { full?: boolean } = {}): string {
  const parts = [
    selectionSentence(record),
    table(record.transfer, [
      { title: 'model', cell: ({ model }) => model, flexible: true },
      { title: 'role', cell: ({ role }) => role },
      { title: 'hard', align: 'right', cell: ({ hard }) => percentOf(hard.estimate) },
      { title: 'random', align: 'right', cell: ({ random }) => percentOf(random.estimate) },
      { title: 'points lost', align: 'right', cell: ({ fall }) => pointsText(fall) },
      { title: 'beyond class and nuisance', align: 'right', cell: ({ fallMatched }) => pointsText(fallMatched) },
    ]),
    transferSentence(record),
    freshSentence(record),
    curveSentence(record),
    modesText(record, full),
  ];
  if (full)
    parts.push(
      table(record.audit, [
        { title: 'by', cell: ({ by }) => by },
        { title: 'value', cell: ({ value }) => shownLabel(value), flexible: true },
        { title: 'pool', align: 'right', cell: ({ pool: n }) => String(n) },
        { title: 'hard', align: 'right', cell: ({ share }) => percentOf(share) },
        { title: 'times the pool', align: 'right', cell: ({ ratio }) => fixedOf(ratio, 2) },
        { title: 'P corrected', align: 'right', cell: ({ pCorrected }) => probabilityOf(pCorrected) },
      ]),
      table(record.confusions.slice(0, 12), [
        { title: 'asked', cell: ({ label }) => shownLabel(label), flexible: true },
        { title: 'answered', cell: ({ prediction }) => shownLabel(prediction), flexible: true },
        { title: 'pictures', align: 'right', cell: ({ pictures }) => String(pictures) },
        { title: 'models', align: 'right', cell: ({ models }) => String(models) },
      ]),
    );
  return parts.filter(Boolean).join('\n\n');
}

function modesText(record: MiningRecord, full: boolean): string {
  const modes = shownModes(record);
  const missing = record.modesMissing.map((what) => `Not looked for: ${what}.`);
  if (!modes.length) return ['No failure mode stands out from chance.', ...missing].join('\n');
  const lines = full ? modes : modes.slice(0, 5);
  return [
    `What wrong answers have in common (${modes.length} beyond chance, corrected for all that was looked at):`,
    table(lines, [
      { title: 'mode', cell: modeName, flexible: true },
      { title: 'pictures', align: 'right', cell: ({ pictures }) => String(pictures) },
      { title: 'wrong', align: 'right', cell: ({ fails }) => percentOf(fails) },
      { title: 'elsewhere', align: 'right', cell: ({ elsewhere }) => percentOf(elsewhere) },
      { title: 'times', align: 'right', cell: ({ ratio }) => fixedOf(ratio, 1) },
      { title: 'P corrected', align: 'right', cell: ({ pCorrected }) => probabilityOf(pCorrected) },
      { title: 'what to do', cell: modeAdvice, flexible: true, spare: 1 },
    ]),
    ...missing,
  ].join('\n');
}

interface RankAgreement {
  readonly a: string;
  readonly b: string;
  readonly models: number;
  readonly spearman: number;
}

/** What is left after the attack, and whether it ranks the models as the other measures do. */
export function attackText(models: readonly AttackedModel[], agreement: readonly RankAgreement[]): string {
  const rows = [...models].sort((a, b) => b.robust - a.robust);
  return [
    table(rows, [
      { title: 'model', cell: ({ model }) => model, flexible: true },
      { title: 'pictures', align: 'right', cell: ({ pictures }) => String(pictures) },
      { title: 'as photographed', align: 'right', cell: ({ clean }) => percentOf(clean) },
      { title: 'after the attack', align: 'right', cell: ({ robust }) => percentOf(robust) },
      { title: '95 %', align: 'right', cell: ({ ci }) => rangeOf(ci, (end) => percentOf(end, 0)) },
      { title: 'questions', align: 'right', cell: ({ medianQueries }) => String(medianQueries ?? '–') },
    ]),
    agreement.length
      ? `Rank agreement over ${agreement[0].models} models (Spearman): ${agreement.map(({ a, b, spearman }) => `${a} and ${b} ${fixedOf(spearman, 2)}`).join('; ')}`
      : 'Three models or more are needed to say how far the measures agree.',
  ].join('\n\n');
}
