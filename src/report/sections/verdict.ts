import type { SegmentationScore } from '../../contracts/score.ts';
import { hardestClasses } from '../../metrics/answers/hardest-classes.ts';
import { isCounted, mayBeWorst } from '../../metrics/counted.ts';
import { originalScenario } from '../../metrics/table/cells.ts';
import type { ReportData } from '../data/load.ts';
import type { Section } from '../document.ts';
import { said } from '../formats/inline.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { count, percent, points, pValue } from '../show.ts';
import { type ScoreFacts, scoreFacts } from '../tables/scores.ts';
import { segmentationRows } from '../tables/segmentation.ts';

/** For someone who has not read the papers: who leans on the scene, which model to take, what breaks it. */
export function verdictSection(data: ReportData): Section {
  const alarms = (data.score.alarms ?? []).map(({ words }) => words);
  return {
    id: 'verdict',
    title: 'The verdict',
    blocks: [
      ...(alarms.length ? [{ kind: 'alarm' as const, lines: alarms }] : []),
      { kind: 'verdict', sentences: verdictSentences(data) },
    ],
  };
}

export function verdictSentences(data: ReportData): string[] {
  const facts = scoreFacts(data);
  if (!facts.length) return segmentationSentences(segmentationRows(data.score));
  const leaning = (data.score.verdict?.words ?? []).map(said);
  // What a model that guesses does best, or loses, says nothing.
  const [best] = facts;
  if (best.score.alarms?.some(({ kind }) => kind === 'guessing')) return [...leaning];
  return [...leaning, choice(facts, data), ...damage(best), ...watch(best, data)];
}

/** For a run of segmentation models alone. */
function segmentationSentences(all: readonly SegmentationScore[]): string[] {
  const rows = all.filter((row) => row.class === 'object' && row.iou.mean !== null);
  const mean = (some: typeof rows) => some.reduce((sum, { iou }) => sum + (iou.mean as number), 0) / some.length;
  const models = [...new Set(rows.map(({ model }) => model))].map((model) => {
    const own = rows.filter((row) => row.model === model);
    const edits = own.filter(({ scenario }) => isCounted(scenario));
    return { model, own, edits, edited: mean(edits.length ? edits : own) };
  });
  const [best, second] = models.sort((a, b) => b.edited - a.edited);
  if (!best) return ['This run holds no answers yet.'];
  const original = best.own.find(({ scenario }) => scenario === originalScenario);
  const worst = best.edits
    .filter(({ scenario }) => mayBeWorst(scenario))
    .sort((a, b) => (a.iou.mean as number) - (b.iou.mean as number))[0];
  const ahead = second ? `, ${points(best.edited - second.edited)} points ahead of ${said(second.model)}` : '';
  return [
    `**${said(best.model)}** outlines the object with a mean overlap (IoU) of ${percent(original?.iou.mean)} on the photographs as they are and ${percent(best.edited)} over the shifts${ahead}.`,
    ...(worst
      ? [
          `Its worst shift is **${said(scenarioTitle(worst.scenario))}**: ${percent(worst.iou.mean)}, ${points(Math.abs(worst.iou.drop ?? 0))} points ${(worst.iou.drop ?? 0) < 0 ? 'above' : 'below'} the photographs as they are.`,
        ]
      : []),
  ];
}

/** Above this share of the resamples an order is called certain. */
const certain = 0.95;

/** What a model reaches, and whether it comes first for certain. */
function choice(facts: readonly ScoreFacts[], data: ReportData): string {
  const [best, second] = facts;
  const shifts = count(best.score.overShifts?.scenarios ?? 0, 'shift');
  const asPhotographed = best.original ? `${percent(best.original.top1)} of the photographs as they are` : '';
  const shifted = best.edited === null ? '' : `${percent(best.edited)} on average over ${shifts} of the scene`;
  const left = `it names ${[asPhotographed, shifted].filter(Boolean).join(' and ')}`;
  const value = ({ edited, original }: ScoreFacts) => edited ?? original?.top1 ?? 0;
  if (!second) return `**${said(best.model)}** was measured alone: ${left}.`;
  const gap = value(best) - value(second);
  if ((best.first ?? 0) >= certain)
    return `**${said(best.model)}** is best: ${left}, ${points(gap)} points ahead of ${said(second.model)} (${percent(value(second))}), and stays first in ${percent(best.first, 0)} of the re-drawn samples.`;
  const { ship } = data.score;
  const replaceable =
    ship?.reference === best.model && ship.models.some(({ model, ship: may }) => model === second.model && may);
  const instead = replaceable
    ? `; ${said(second.model)} may be shipped in its place, being worse by less than ${points(ship.margin, 0)} points`
    : '';
  const smaller =
    best.parameters && second.parameters && second.parameters < best.parameters * 0.8
      ? `; ${said(second.model)} is the smaller of the two`
      : '';
  return `**${said(best.model)}** leads, but **${said(second.model)}** cannot be told from it on these images: ${left}, only ${points(gap)} points ahead, and comes first in just ${percent(best.first, 0)} of the re-drawn samples${instead}${smaller}.`;
}

function damage({ model, score, original }: ScoreFacts): string[] {
  const tested = score.scenarios.filter(
    ({ scenario, drop }) => drop !== null && isCounted(scenario) && mayBeWorst(scenario),
  );
  if (!tested.length) {
    if (score.overShifts && !original)
      return [
        'What the scene costs cannot be said, because the unedited images (the scenario `original`) are not in this run.',
      ];
    return ['Nothing was edited, so what a change of the scene costs is not known yet.'];
  }
  const sorted = [...tested].sort((a, b) => (b.drop as number) - (a.drop as number));
  const [worst] = sorted;
  const certainty = worst.dropCi
    ? ` (95 % interval ${points(worst.dropCi[0])} to ${points(worst.dropCi[1])}, P ${pValue(worst.pHolm)})`
    : '';
  if ((worst.drop as number) <= 0 || (worst.pHolm ?? 1) > 0.05)
    return [
      `None of ${count(tested.length, 'shift')} is shown to hurt ${said(model)}; the worst, **${said(scenarioTitle(worst.scenario))}**, costs ${points(worst.drop)} points${certainty}.`,
    ];
  return [
    `What breaks ${said(model)} most is **${said(scenarioTitle(worst.scenario))}**: ${points(worst.drop)} points lost${certainty}.`,
  ];
}

/** The class that suffers most. */
function watch({ model }: ScoreFacts, { classes }: ReportData): string[] {
  const own = classes.filter((cell) => cell.model === model && isCounted(cell.scenario));
  const hard = hardestClasses(own);
  return hard.length > 1 && hard[0].edited !== null
    ? [`Watch **${said(hard[0].class)}**: right in only ${percent(hard[0].edited)} of the shifted images.`]
    : [];
}
