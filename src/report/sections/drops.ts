import { hardestClasses } from '../../metrics/answers/hardest-classes.ts';
import { isCounted } from '../../metrics/counted.ts';
import { originalScenario } from '../../metrics/table/cells.ts';
import type { ReportData } from '../data/load.ts';
import type { Block, Figure, Section } from '../document.ts';
import { type BackgroundRow, backgroundChart } from '../figures/background-chart.ts';
import { classMap } from '../figures/class-map.ts';
import { type DropRow, dropChart } from '../figures/drop-chart.ts';
import { foldChart } from '../figures/fold-chart.ts';
import { lossMap } from '../figures/loss-map.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { dropTable } from '../tables/drops.ts';
import { uncountedTable } from '../tables/uncounted.ts';

/** More get a map instead of a bar each. */
const fewModels = 4;
const mostClasses = 40;
const mostMaps = 6;

/** What each scenario costs, by model, class, kind of background and fold. */
export function dropsSection(data: ReportData): Section | null {
  if (!data.score.models.length) return null;
  const blocks: Block[] = [];
  const many = data.models.length > fewModels;
  const rows = dropRows(data);
  if (rows.length) {
    const chart: Block = { kind: 'figures', figures: [dropChart(rows, data.models)] };
    blocks.push(
      ...(many
        ? ([
            { kind: 'figures', figures: [lossMap(rows, data.models)] },
            { kind: 'fold', summary: 'The same with intervals', blocks: [chart] },
          ] satisfies Block[])
        : [chart]),
    );
  }
  blocks.push({ kind: 'table', table: dropTable(data) });
  const uncounted = uncountedTable(data);
  if (uncounted) blocks.push({ kind: 'table', table: uncounted });
  const backgrounds = backgroundFigure(data);
  if (backgrounds)
    blocks.push({
      kind: 'fold',
      summary: 'Own, generated and random backgrounds',
      blocks: [{ kind: 'figures', figures: [backgrounds] }],
    });
  const maps = classMaps(data);
  if (maps.length)
    blocks.push({
      kind: 'fold',
      summary: `Class by class: ${maps.length === 1 ? 'a map' : `${maps.length} maps`}`,
      blocks: [{ kind: 'figures', figures: maps }],
    });
  if (data.folds.length)
    blocks.push({
      kind: 'fold',
      summary: 'Fold by fold',
      blocks: [
        {
          kind: 'figures',
          figures: [foldChart(data.folds, { models: data.models, scenarios: data.scenarios, titleOf: scenarioTitle })],
        },
      ],
    });
  return { id: 'drops', title: 'What each edit costs', blocks };
}

function dropRows({ score, models }: ReportData): DropRow[] {
  return models.flatMap((model) =>
    (score.models.find((candidate) => candidate.model === model)?.scenarios ?? []).flatMap(
      ({ scenario, drop, dropCi }) =>
        drop === null || !isCounted(scenario)
          ? []
          : [
              {
                model,
                scenario,
                title: scenarioTitle(scenario),
                drop,
                low: dropCi?.[0] ?? null,
                high: dropCi?.[1] ?? null,
              },
            ],
    ),
  );
}

const kinds: Record<string, BackgroundRow['kind']> = {
  original: 'original',
  'generated-background': 'generated',
  'random-background': 'random',
};

function backgroundFigure({ score, models }: ReportData): Figure | null {
  const rows = models.flatMap((model): BackgroundRow[] => {
    const own = score.models.find((candidate) => candidate.model === model)?.scenarios ?? [];
    // Of several scenarios with the same kind of background the first is shown.
    const seen = new Set<string>();
    return own.flatMap(({ scenario, top1, ci }) => {
      const kind = kinds[scenario.split(':')[0]];
      if (!kind || seen.has(kind)) return [];
      seen.add(kind);
      return [{ model, kind, scenario, accuracy: top1, low: ci?.[0] ?? null, high: ci?.[1] ?? null }];
    });
  });
  const found = new Set(rows.map(({ kind }) => kind));
  return found.has('original') && found.size > 1 ? backgroundChart(rows, models) : null;
}

function classMaps({ classes, models, scenarios }: ReportData): Figure[] {
  const names = hardestClasses(classes.filter(({ scenario }) => scenario === originalScenario || isCounted(scenario)))
    .slice(0, mostClasses)
    .map((hard) => hard.class);
  if (names.length < 2) return [];
  const titled = scenarios.map((name) => ({ name, title: scenarioTitle(name) }));
  return models
    .slice(0, mostMaps)
    .map((model, i) => classMap(classes, { model, scenarios: titled, classes: names, id: `classes-${i + 1}` }));
}
