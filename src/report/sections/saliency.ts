import { hundredthsOf } from '../../contracts/numbers.ts';
import { attentionSentences } from '../../explain/summary/attention-sentences.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import { wordAt } from '../../metrics/answers/answer-columns.ts';
import { isCounted } from '../../metrics/counted.ts';
import type { ReportData } from '../data/load.ts';
import type { LoadedSaliency } from '../data/saliency.ts';
import type { Block, Section, Strip } from '../document.ts';
import { saliencyChart } from '../figures/saliency-chart.ts';
import { said } from '../formats/inline.ts';
import { removesObject, scenarioTitle } from '../scenario-title.ts';
import { percent } from '../show.ts';
import { comparisonTable, saliencyTable } from '../tables/saliency.ts';

/** Where the models look, where the run was explained. */
export function saliencySection({ saliency, answers }: ReportData): Section | null {
  if (!saliency) return null;
  const { cells, comparisons, index } = saliency;
  const models = index.models.map(({ model }) => model);
  const shares = cells.flatMap(({ model, scenario, shareOnObject: { mean, ci }, areaShare }) =>
    mean === null
      ? []
      : [
          {
            model,
            scenario,
            title: scenarioTitle(scenario),
            share: mean,
            low: ci?.[0] ?? null,
            high: ci?.[1] ?? null,
            area: areaShare,
          },
        ],
  );
  const explained = index.explained === 'truth' ? 'the right class' : 'the class the model names';
  const blocks: Block[] = [
    {
      kind: 'text',
      text: `Which pixels speak for ${explained}, over ${index.selection.words}. ${methodWords(saliency)}`,
    },
    { kind: 'list', items: attentionSentences(saliency) },
  ];
  if (shares.length) blocks.push({ kind: 'figures', figures: [saliencyChart(shares, models)] });
  blocks.push({ kind: 'table', table: saliencyTable(cells) });
  if (comparisons.length) blocks.push({ kind: 'table', table: comparisonTable(comparisons) });
  if (saliency.strips.length)
    blocks.push(
      {
        kind: 'text',
        text: 'The same object with its maps, those first whose answer was lost and from which attention moved furthest. Bright is salient, the white line is the object, what the network was not shown is dark.',
      },
      { kind: 'strips', strips: stripsOf(saliency, saidBy(answers), models.length > 1), models: [] },
    );
  return { id: 'saliency', title: 'Where the models look', blocks };
}

const methodWords = ({ index }: LoadedSaliency): string =>
  index.models.map(({ model, method, why }) => `\`${said(model)}\`: ${method} (${said(why)}).`).join(' ');

type Said = (model: string, scenario: string, sample: string) => string | undefined;

/** What a model said, from the run's predictions. */
function saidBy(answers: ReportData['answers']): Said {
  const said = new Map<string, string>();
  for (const row of answers?.rows ?? []) {
    if (!answers) break;
    const key = [answers.model, answers.scenario, answers.sample].map((column) => wordAt(column, row));
    said.set(JSON.stringify(key), wordAt(answers.prediction, row));
  }
  return (...key) => said.get(JSON.stringify(key));
}

function stripsOf({ strips }: LoadedSaliency, said: Said, several: boolean): Strip[] {
  return strips.map(({ model, sample, label, fall, tiles }) => ({
    sample,
    label: shownLabel(label),
    why: `${several ? `${model}; ` : ''}${fall < 0 ? `up to ${hundredthsOf(-fall, 0)} points of the saliency leave the object` : 'the saliency stays'}`,
    tiles: tiles.map(({ scenario, shareOnObject, src, width, height, correct }) => ({
      scenario,
      title: `${scenarioTitle(scenario)}: ${percent(shareOnObject, 0)} on it`,
      src,
      width,
      height,
      counted: isCounted(scenario),
      judged: !removesObject(scenario),
      answers: [{ model, prediction: said(model, scenario, sample) ?? 'another class', correct }],
    })),
  }));
}
