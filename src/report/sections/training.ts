import type { ReportData } from '../data/load.ts';
import type { TrainedModel } from '../data/training.ts';
import type { Block, Figure, Section } from '../document.ts';
import { trainingCurves } from '../figures/training-curves.ts';
import { trainingMap } from '../figures/training-map.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { count, listWords } from '../show.ts';
import { inScenarioTable, mixtureTable } from '../tables/in-scenario.ts';
import { robustnessTable } from '../tables/robustness.ts';
import { scoreFacts } from '../tables/scores.ts';
import { type HeadRow, headRows, headTitle, trainingTable } from '../tables/training.ts';

/** What was trained on one scenario each, where the run has such. */
export function trainingSection(data: ReportData): Section | null {
  const training = data.models.flatMap((model) => data.training.find((own) => own.model === model) ?? []);
  if (!training.length) return null;
  const rows = data.answers ? headRows(data.score, data.answers.heads) : [];
  const blocks: Block[] = [{ kind: 'text', text: introduction(data, training) }];
  const mixtures = mixtureTable(training);
  if (training.some(({ heads }) => heads.length)) blocks.push({ kind: 'table', table: inScenarioTable(training) });
  if (mixtures) blocks.push({ kind: 'table', table: mixtures });
  blocks.push(...robustnessBlocks(data));
  const maps = training.flatMap((own, i) => mapOf(own, rows, data, i));
  if (maps.length)
    blocks.push(
      { kind: 'heading', text: 'Trained on one, tested on each' },
      { kind: 'figures', figures: maps },
      { kind: 'table', table: trainingTable(rows, ({ model, trained }) => titleIn(training, model, trained)) },
    );
  const curves = training.flatMap(curvesOf);
  if (curves.length)
    blocks.push({ kind: 'heading', text: 'How the training went' }, { kind: 'figures', figures: curves });
  return { id: 'training', title: 'In-scenario training', blocks };
}

function introduction({ answers, models }: ReportData, training: readonly TrainedModel[]): string {
  const folds = [...new Set(training.map((own) => own.folds).filter((n) => n > 1))];
  const held = folds.length
    ? `tested on images it never saw, in ${folds.length === 1 ? count(folds[0], 'fold') : 'folds'}`
    : 'and tested';
  const delivered = models.filter((model) => answers?.heads.get(model) === '');
  const heads = training.map(({ model }) => model);
  const both = heads.filter((model) => delivered.includes(model));
  const trained = heads.filter((model) => answers?.heads.get(model) === 'original');
  return [
    `Every model here was trained anew on one scenario at a time, ${held}.`,
    ...(trained.length
      ? [`Elsewhere in this report, ${listWords(trained)} means trained on the unedited photographs.`]
      : []),
    ...(both.length
      ? [
          `Elsewhere in this report, ${listWords(both)} means as delivered; its robustness score is of what was trained.`,
        ]
      : []),
  ].join(' ');
}

function robustnessBlocks(data: ReportData): Block[] {
  const facts = scoreFacts(data).filter(({ score }) => score.robustness);
  if (!facts.some(({ score }) => score.robustness?.inner !== null)) return [];
  const without = facts.filter(({ score }) => score.robustness?.inner === null).map(({ model }) => model);
  return [
    {
      kind: 'text',
      text: `The robustness score has both its parts here: 1 − (cross + inner), two mean squared distances from μ, the accuracy of the model trained and tested on \`original\`. **Cross**: trained on \`original\`, tested in every other scenario; what a scene costs that was not learnt. **Inner**: trained and tested in the same scenario; what stays different when it was. A small inner beside a large cross says that the scenes can be learnt and were only never shown. The roots are typical distances in points.${
        without.length
          ? ` ${listWords(without)}: as delivered, so without an inner part; such scores are not compared with the others.`
          : ''
      }`,
    },
    { kind: 'table', table: robustnessTable(facts) },
  ];
}

const titleIn = (training: readonly TrainedModel[], model: string, trained: string): string =>
  headTitle(trained, training.find((own) => own.model === model)?.heads.find((head) => head.trained === trained)?.on);

function mapOf(
  { model, heads }: TrainedModel,
  rows: readonly HeadRow[],
  { scenarios }: ReportData,
  i: number,
): Figure[] {
  // The same order both ways, so that in-scenario cells lie on the diagonal.
  const order = [...new Set([...scenarios, ...heads.map(({ trained }) => trained)])];
  const by = (key: 'trained' | 'scenario') => (a: HeadRow, b: HeadRow) => order.indexOf(a[key]) - order.indexOf(b[key]);
  const cells = rows
    .filter((row) => row.model === model)
    .sort(by('scenario'))
    .sort(by('trained'))
    .map(({ trained, scenario, top1 }) => ({
      trained: headTitle(trained, heads.find((head) => head.trained === trained)?.on),
      tested: scenarioTitle(scenario),
      accuracy: top1,
    }));
  return cells.length > 1 ? [trainingMap(cells, { model, id: `training-${i + 1}` })] : [];
}

function curvesOf({ model, heads, curves }: TrainedModel, i: number): Figure[] {
  if (!curves.points.length) return [];
  const trained = [...new Set([...heads.map((head) => head.trained), ...curves.points.map((point) => point.trained)])];
  const titleOf = (name: string) => headTitle(name, heads.find((head) => head.trained === name)?.on);
  return (['accuracy', 'loss'] as const)
    .filter((measure) => curves.points.some((point) => point.measure === measure))
    .map((measure) => trainingCurves(curves, { model, measure, trained, titleOf, id: `curves-${measure}-${i + 1}` }));
}
