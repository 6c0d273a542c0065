import type { SaliencyRow } from '../../contracts/saliency.ts';
import { partOf } from '../../scenarios/registry.ts';
import { type Association, spearman } from '../../stats/rank.ts';
import { type Change, clusterOf, groups, originalScenario, pairedDifference, type SaliencyCell } from './cells.ts';
import { type EditedVariant, type FailureModel, failureModel } from './failure-model.ts';

/** Does attention leave the object before accuracy falls? */
export interface Attention {
  /** Over model × scenario: does the share on the object fall where accuracy does? Null with fewer than four cells. */
  readonly overScenarios: Association | null;
  /** The change of the share on the object over images that stay right: attention that moved without a mistake. */
  readonly whileRight: readonly ({ readonly model: string; readonly scenario: string } & Omit<Change, 'pHolm'>)[];
  /** Background reliance on `original` against failing later, per model and image: rank correlation with the share of scenarios that fail. */
  readonly reliancePredicts: Association | null;
  /** Odds of failing under a scenario, per ten points of reliance on `original`; model and scenario held. */
  readonly odds: FailureModel | null;
  /** The same with the object's share of the picture held as well. */
  readonly oddsAtSameArea: FailureModel | null;
}

/** With the object gone there is nothing to look at. */
const keepsObject = ({ scenario }: Pick<SaliencyRow, 'scenario'>) => partOf(scenario) !== 'removal';

export function attentionOf(given: readonly SaliencyRow[], allCells: readonly SaliencyCell[]): Attention {
  const rows = given.filter(keepsObject);
  const edited = allCells.filter((cell) => keepsObject(cell) && cell.scenario !== originalScenario);
  const points = edited.flatMap(({ model, change, accuracy }) => {
    const before = allCells.find((cell) => cell.model === model && cell.scenario === originalScenario)?.accuracy.mean;
    if (change?.difference == null || before == null || accuracy.mean === null) return [];
    return [{ left: -change.difference, lost: before - accuracy.mean }];
  });
  const later = laterFailures(rows);
  const perImage = [...groups(later, ({ model, sample }) => JSON.stringify([model, sample])).values()];
  return {
    overScenarios: association(
      points.map(({ left }) => left),
      points.map(({ lost }) => lost),
      4,
    ),
    whileRight: whileRight(rows),
    reliancePredicts: association(
      perImage.map(([{ reliance }]) => reliance),
      perImage.map((own) => own.reduce((sum, { failed }) => sum + failed, 0) / own.length),
      10,
    ),
    odds: failureModel(later),
    oddsAtSameArea: failureModel(later, { holdArea: true }),
  };
}

/** Null where there are too few pairs, or one side never varies. */
function association(x: readonly number[], y: readonly number[], least: number): Association | null {
  if (x.length < least) return null;
  const found = spearman(x, y);
  return Number.isFinite(found.statistic) ? found : null;
}

function whileRight(rows: readonly SaliencyRow[]): Attention['whileRight'] {
  return [...groups(rows, ({ model }) => model)].flatMap(([model, own]) => {
    const original = own.filter(({ scenario, correct }) => scenario === originalScenario && correct);
    const scenarios = groups(
      own.filter(({ scenario, correct }) => scenario !== originalScenario && correct),
      ({ scenario }) => scenario,
    );
    return [...scenarios].map(([scenario, edited]) => {
      const { n, mean, ci, p } = pairedDifference(edited, original, ({ shareOnObject }) => shareOnObject);
      return { model, scenario, n, difference: mean, ci, p };
    });
  });
}

/** Every edited variant of an image that was right as photographed. */
function laterFailures(rows: readonly SaliencyRow[]): EditedVariant[] {
  const key = (row: SaliencyRow) => JSON.stringify([row.model, row.sample]);
  const before = new Map(
    rows
      .filter((row) => row.scenario === originalScenario && row.correct && Number.isFinite(row.reliance))
      .map((row) => [key(row), row]),
  );
  return rows.flatMap((row): EditedVariant[] => {
    const original = before.get(key(row));
    if (row.scenario === originalScenario || !original) return [];
    const { model, scenario, sample } = row;
    const { reliance, areaShare } = original;
    return [{ model, scenario, sample, cluster: clusterOf(row), reliance, areaShare, failed: row.correct ? 0 : 1 }];
  });
}
