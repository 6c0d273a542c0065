import type { MiningRecord } from '../../contracts/mining.ts';
import type { AttackedModel } from '../../mine/attack-run.ts';
import { percent, table } from './table.ts';

type Estimate = MiningRecord['transfer'][number]['fall'];
const points = ({ estimate, ci }: Estimate) =>
  `${(100 * estimate).toFixed(1)} (${(100 * ci[0]).toFixed(1)} to ${(100 * ci[1]).toFixed(1)})`;

/** What mining found, in a screen. */
export function miningText(record: MiningRecord, { full = false }: { full?: boolean } = {}): string {
  const { selection, pool, chosen } = record;
  const parts = [
    `${chosen.length} of ${pool.pictures} pictures are hard: at least ${selection.atLeast} of ${selection.surrogates.length} surrogates (${selection.surrogates.join(', ')}) fail them.`,
    table(record.transfer, [
      { title: 'model', cell: ({ model }) => model, flexible: true },
      { title: 'role', cell: ({ role }) => role },
      { title: 'hard', align: 'right', cell: ({ hard }) => percent(hard.estimate) },
      { title: 'random', align: 'right', cell: ({ random }) => percent(random.estimate) },
      { title: 'points lost', align: 'right', cell: ({ fall }) => points(fall) },
      { title: 'beyond class and nuisance', align: 'right', cell: ({ fallMatched }) => points(fallMatched) },
    ]),
    transferSentence(record),
    freshSentence(record),
    curveSentence(record),
  ];
  if (full)
    parts.push(
      table(record.audit, [
        { title: 'by', cell: ({ by }) => by },
        { title: 'value', cell: ({ value }) => value, flexible: true },
        { title: 'pool', align: 'right', cell: ({ pool: n }) => String(n) },
        { title: 'hard', align: 'right', cell: ({ share }) => percent(share) },
        { title: 'times the pool', align: 'right', cell: ({ ratio }) => ratio.toFixed(2) },
        { title: 'P corrected', align: 'right', cell: ({ pCorrected }) => pCorrected.toPrecision(2) },
      ]),
      table(record.confusions.slice(0, 12), [
        { title: 'asked', cell: ({ label }) => label, flexible: true },
        { title: 'answered', cell: ({ prediction }) => prediction, flexible: true },
        { title: 'pictures', align: 'right', cell: ({ pictures }) => String(pictures) },
        { title: 'models', align: 'right', cell: ({ models }) => String(models) },
      ]),
    );
  return parts.filter(Boolean).join('\n\n');
}

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

function freshSentence({ freshSeed, transfer }: MiningRecord): string {
  const held = new Set(transfer.filter(({ role }) => role === 'target').map(({ model }) => model));
  const rows = (freshSeed ?? []).filter(({ model }) => held.has(model));
  if (!rows.length) return 'One seed of each prompt: how much of the fall is the luck of being chosen is not known.';
  return `On other pictures of the same prompts: ${rows.map(({ model, freshSeed: fresh }) => `${model} ${points(fresh)}`).join(', ')} points lost; the rest is the luck of being chosen.`;
}

function curveSentence({ curve }: MiningRecord): string {
  const steps = curve.points
    .map(({ surrogates, accuracy }) => `${surrogates}: ${percent(accuracy.estimate)}`)
    .join(', ');
  const flat = curve.flattensAt === null ? 'no flattening shown' : `flat from ${curve.flattensAt} on`;
  return `Accuracy of the held-out models by number of surrogates: ${steps} (${flat}).`;
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
      { title: 'as photographed', align: 'right', cell: ({ clean }) => percent(clean) },
      { title: 'after the attack', align: 'right', cell: ({ robust }) => percent(robust) },
      { title: '95 %', align: 'right', cell: ({ ci }) => `${percent(ci[0], 0)} to ${percent(ci[1], 0)}` },
      { title: 'questions', align: 'right', cell: ({ medianQueries }) => String(medianQueries ?? '–') },
    ]),
    agreement.length
      ? `Rank agreement over ${agreement[0].models} models (Spearman): ${agreement.map(({ a, b, spearman }) => `${a} and ${b} ${spearman.toFixed(2)}`).join('; ')}`
      : 'Three models or more are needed to say how far the measures agree.',
  ].join('\n\n');
}
