import { isCounted, mayBeWorst } from '../../metrics/counted.ts';
import { originalScenario } from '../data/answers.ts';
import { hardestClasses } from '../data/classes.ts';
import type { ReportData } from '../data/load.ts';
import type { Section } from '../document.ts';
import { scenarioTitle, swapsBackground } from '../scenario-title.ts';
import { count, percent, points, pValue } from '../show.ts';
import { type ScoreFacts, scoreFacts } from '../tables/scores.ts';
import { segmentationRows } from '../tables/segmentation.ts';

/** Three sentences for someone who has not read the papers: which model, what breaks it, what that means. */
export function verdictSection(data: ReportData): Section {
  return {
    id: 'verdict',
    title: 'The verdict',
    blocks: [{ kind: 'verdict', sentences: verdictSentences(data) }],
  };
}

export function verdictSentences(data: ReportData): string[] {
  const facts = scoreFacts(data);
  if (!facts.length) return segmentationSentences(data.score);
  return [choice(facts, data), damage(facts[0]), meaning(facts[0], data)];
}

/** For a run of segmentation models alone. */
function segmentationSentences(score: ReportData['score']): string[] {
  const rows = segmentationRows(score).filter((row) => row.class === 'object' && row.iou.mean !== null);
  const mean = (some: typeof rows) => some.reduce((sum, { iou }) => sum + (iou.mean as number), 0) / some.length;
  const models = [...new Set(rows.map(({ model }) => model))].map((model) => {
    const own = rows.filter((row) => row.model === model);
    const edits = own.filter(({ scenario }) => scenario !== originalScenario);
    return { model, own, edits, edited: mean(edits.length ? edits : own) };
  });
  const [best, second] = models.sort((a, b) => b.edited - a.edited);
  if (!best) return ['This run holds no answers yet.'];
  const original = best.own.find(({ scenario }) => scenario === originalScenario);
  const worst = [...best.edits].sort((a, b) => (a.iou.mean as number) - (b.iou.mean as number))[0];
  const ahead = second ? `, ${points(best.edited - second.edited)} points ahead of ${second.model}` : '';
  return [
    `**${best.model}** outlines the object with a mean overlap (IoU) of ${percent(original?.iou.mean)} on the photographs as they are and ${percent(best.edited)} over the edits${ahead}.`,
    ...(worst
      ? [
          `Its worst edit is **${scenarioTitle(worst.scenario)}**: ${percent(worst.iou.mean)}, ${points(Math.abs(worst.iou.drop ?? 0))} points ${(worst.iou.drop ?? 0) < 0 ? 'above' : 'below'} the photographs as they are.`,
        ]
      : []),
  ];
}

/** Above this share of the resamples an order is called certain. */
const certain = 0.95;

function choice(facts: readonly ScoreFacts[], data: ReportData): string {
  const [best, second] = facts;
  const edits = count(data.scenarios.filter((name) => isCounted(name)).length, 'shift');
  const left = best.original
    ? `it names ${percent(best.original.top1)} of the photographs as they are and ${percent(best.edited)} on average over ${edits} of the scene`
    : `it names ${percent(best.edited)} of the images on average over ${edits} of the scene`;
  if (best.edited === null) {
    const asIs = percent(best.original?.top1);
    return `**${best.model}** names ${asIs} of the photographs; nothing was edited, so how much it leans on the scene is not known yet.`;
  }
  if (!second) return `**${best.model}** was measured alone: ${left}.`;
  const gap = best.edited - (second.edited ?? 0);
  if ((best.first ?? 0) >= certain)
    return `Ship **${best.model}**: ${left}, ${points(gap)} points ahead of ${second.model} (${percent(second.edited)}), and stays first in ${percent(best.first, 0)} of the re-drawn samples.`;
  const { ship } = data.score;
  const replaceable =
    ship?.reference === best.model && ship.models.some(({ model, ship: may }) => model === second.model && may);
  const instead = replaceable
    ? `; ${second.model} may be shipped in its place, being worse by less than ${points(ship.margin, 0)} points`
    : '';
  const smaller =
    best.parameters && second.parameters && second.parameters < best.parameters * 0.8
      ? `; ${second.model} is the smaller of the two`
      : '';
  return `**${best.model}** leads, but **${second.model}** cannot be told from it on these images: ${left}, only ${points(gap)} points ahead, and comes first in just ${percent(best.first, 0)} of the re-drawn samples${instead}${smaller}.`;
}

function damage({ model, score }: ScoreFacts): string {
  const tested = score.scenarios.filter(
    ({ scenario, drop }) => drop !== null && isCounted(scenario) && mayBeWorst(scenario),
  );
  if (!tested.length)
    return 'What the scene costs cannot be said, because the unedited images (the scenario `original`) are not in this run.';
  const sorted = [...tested].sort((a, b) => (b.drop as number) - (a.drop as number));
  const [worst] = sorted;
  const certainty = worst.dropCi
    ? ` (95 % interval ${points(worst.dropCi[0])} to ${points(worst.dropCi[1])}, P ${pValue(worst.pHolm)})`
    : '';
  if ((worst.drop as number) <= 0 || (worst.pHolm ?? 1) > 0.05)
    return `None of ${count(tested.length, 'edit')} is shown to hurt ${model}; the worst, **${scenarioTitle(worst.scenario)}**, costs ${points(worst.drop)} points${certainty}.`;
  const least = sorted.at(-1) ?? worst;
  const harmless =
    least !== worst && (least.pHolm ?? 1) > 0.05
      ? `, while ${scenarioTitle(least.scenario).toLowerCase()} is not shown to cost anything (${points(least.drop)})`
      : '';
  return `What breaks ${model} most is **${scenarioTitle(worst.scenario)}**: ${points(worst.drop)} points lost${certainty}${harmless}.`;
}

/** Object or scene? From the edits that put the untouched object before another background. */
function meaning({ model, score }: ScoreFacts, data: ReportData): string {
  const hard = hardestClasses(
    data.classes.filter(
      (cell) => cell.model === model && (cell.scenario === originalScenario || isCounted(cell.scenario)),
    ),
  );
  const watch =
    hard.length > 1 && hard[0].edited !== null
      ? `; watch **${hard[0].class}**, right in only ${percent(hard[0].edited)} of the edited images`
      : '';
  const swaps = score.scenarios.filter(({ scenario, drop }) => swapsBackground(scenario) && drop !== null);
  const worst = [...swaps].sort((a, b) => (b.drop as number) - (a.drop as number))[0];
  if (!worst) return `Whether it leans on the scene is open: no edit put its objects before other backgrounds${watch}.`;
  const drop = worst.drop as number;
  const interval = worst.dropCi ? ` (95 % interval ${points(worst.dropCi[0])} to ${points(worst.dropCi[1])})` : '';
  if ((worst.pHolm ?? 1) > 0.05 || drop < 0.02)
    return `It recognises the object rather than the scene: the same objects before other backgrounds cost it ${points(drop)} points${interval}, ${(worst.pHolm ?? 1) > 0.05 ? 'no more than chance may give' : 'next to nothing'}${watch}.`;
  const tone = drop >= 0.2 ? 'It leans heavily on the scene' : 'It leans on the scene';
  const pasted = score.scenarios.find(({ scenario }) => scenario === 'paste-back')?.drop ?? null;
  const net = pasted === null ? '' : `, of which the cutting and pasting itself takes ${points(Math.max(0, pasted))}`;
  return `${tone}: the same objects before other backgrounds cost it ${points(drop)} points${interval}${net}, so expect that wherever backgrounds differ from these photographs${watch}.`;
}
