import type { ModelScore, Robustness, ScenarioScore, Score } from '../../contracts/score.ts';
import { partOf } from '../../scenarios/registry.ts';
import { type Interval, wilson } from '../../stats/proportion.ts';
import { type CountedScenarios, isCounted } from '../counted.ts';
import type { AccuracyCell } from '../table/accuracy.ts';
import { originalScenario } from '../table/cells.ts';
import { addMeasures } from './compute.ts';
import { spreadOf } from './distribution.ts';
import { firstVersion } from './first-version.ts';
import { worstOf } from './model-score.ts';
import { muOf, type ScoreOptions } from './options.ts';
import { deviationsByCount, robustnessOf } from './robustness.ts';
import { robustnessSentence } from './robustness-sentence.ts';

/** A scenario over its classes. */
interface Pooled {
  readonly scenario: string;
  readonly accuracy: number;
  /** NaN: not said. */
  readonly n: number;
}

/** `score` of a table printed elsewhere: no images, so nothing is paired and nothing resampled. */
export function scoreAccuracies(cells: readonly AccuracyCell[], options: ScoreOptions = {}): Score {
  const models = [...new Set(cells.map(({ model }) => model))];
  const scored = models.map((model) => ({
    score: scoreOne(
      model,
      cells.filter((cell) => cell.model === model),
      options,
    ),
  }));
  const known = cells.every(({ n }) => n > 0);
  const notes = [
    known
      ? 'The table has no images: intervals take the scenarios as separate samples, which is wider than paired ones.'
      : "The table has no column 'n', so there are no intervals.",
  ];
  for (const { score } of scored)
    if (!score.robustness)
      notes.push(`${score.model} has no scenario 'original'; give --mu ${score.model}=VALUE for drops and the score.`);
  return { ...addMeasures(scored, options.count), count: options.count ?? 'shifts', ranking: null, ship: null, notes };
}

function scoreOne(model: string, cells: readonly AccuracyCell[], options: ScoreOptions): ModelScore {
  const { count } = options;
  const heads = [...new Set(cells.map(({ trained }) => trained))];
  const inner = cells.filter(({ trained, scenario }) => trained === scenario && isCounted(trained, count));
  const main = mainCells(cells, heads, inner);
  const base = heads.includes(originalScenario) ? originalScenario : '';
  const given = muOf(options, model);
  const rows = pool(main);
  const counted = ({ scenario }: { scenario: string }) => scenario === originalScenario || isCounted(scenario, count);
  const scenarios = rows.map((row) => scenarioScore(row, rows, given));
  const others = heads.filter((head) => cells.some((cell) => cell.trained === head && !main.includes(cell)));
  return {
    model,
    scenarios,
    robustness: robustness(pool(cells.filter(({ trained }) => trained === base)), pool(inner), main, { given, count }),
    ...dropSummary(scenarios, rows.find(({ scenario }) => scenario === originalScenario)?.accuracy ?? given, count),
    overShifts: overShifts(rows, count),
    ...(options.byClass && { classes: classScores(main) }),
    ...(others.length && {
      heads: others.map((trained) => {
        const own = pool(cells.filter((cell) => cell.trained === trained));
        return { trained, scenarios: own.map((row) => scenarioScore(row, own, given)) };
      }),
    }),
    distribution: [
      spreadOf(
        'scenarios',
        rows.filter(counted).map(({ accuracy }) => accuracy),
      ),
      spreadOf('classes', classMeans(main.filter(counted))),
    ].filter((spread) => spread !== null),
  };
}

/** As delivered, else trained on `original`, else each head where it was trained. */
function mainCells(cells: readonly AccuracyCell[], heads: readonly string[], inner: readonly AccuracyCell[]) {
  const head = ['', originalScenario].find((candidate) => heads.includes(candidate));
  if (head === undefined && inner.length > 0) return inner;
  return cells.filter(({ trained }) => trained === (head ?? heads[0]));
}

function classScores(main: readonly AccuracyCell[]): ModelScore['classes'] {
  return main
    .filter((cell) => cell.class)
    .map((cell) => {
      const { pHolm: _, ...row } = scenarioScore(
        cell,
        main.filter((other) => other.class === cell.class),
        undefined,
      );
      return { ...row, scenario: cell.scenario, n: row.n, top1: row.top1, class: cell.class } as NonNullable<
        ModelScore['classes']
      >[number];
    });
}

function dropSummary(
  scenarios: readonly ScenarioScore[],
  mu: number | undefined,
  count: CountedScenarios | undefined,
): Pick<ModelScore, 'meanDrop' | 'meanDropCi' | 'worst' | 'relativeDrop'> {
  const shifted = scenarios.filter(({ drop, scenario }) => drop !== null && isCounted(scenario, count));
  if (shifted.length === 0) return { meanDrop: null, meanDropCi: null, worst: null, relativeDrop: null };
  const drops = shifted.map(({ drop }) => drop as number);
  const meanDrop = drops.reduce((sum, drop) => sum + drop, 0) / drops.length;
  return {
    meanDrop,
    meanDropCi: null,
    worst: worstOf(shifted),
    relativeDrop: mu ? meanDrop / mu : null,
  };
}

/** Without images, no interval. */
function overShifts(rows: readonly Pooled[], count: CountedScenarios | undefined): ModelScore['overShifts'] {
  const counted = rows.filter(({ scenario }) => isCounted(scenario, count));
  if (!counted.length) return null;
  const accuracy = counted.reduce((sum, row) => sum + row.accuracy / counted.length, 0);
  return { accuracy, ci: null, scenarios: counted.length };
}

/** Classes of a scenario by their images where these are given, else each class once. `original` comes first. */
function pool(cells: readonly AccuracyCell[]): Pooled[] {
  const names = [...new Set(cells.map(({ scenario }) => scenario))];
  const pooled = names.map((scenario): Pooled => {
    const own = cells.filter((cell) => cell.scenario === scenario);
    const n = own.reduce((sum, cell) => sum + cell.n, 0);
    const weighted = n > 0;
    const accuracy = own.reduce((sum, cell) => sum + cell.accuracy * (weighted ? cell.n / n : 1 / own.length), 0);
    return { scenario, accuracy, n };
  });
  return pooled.sort((a, b) => Number(b.scenario === originalScenario) - Number(a.scenario === originalScenario));
}

function scenarioScore(row: Pooled, rows: readonly Pooled[], mu: number | undefined): ScenarioScore {
  const original = rows.find(({ scenario }) => scenario === originalScenario);
  const known = row.n > 0;
  const isOriginal = row.scenario === originalScenario;
  const from = original?.accuracy ?? mu;
  const drop = isOriginal || from === undefined ? null : from - row.accuracy;
  const ci = known ? wilson(row.accuracy * row.n, row.n) : null;
  return {
    scenario: row.scenario,
    part: partOf(row.scenario),
    n: known ? row.n : 0,
    top1: row.accuracy,
    top1Own: null,
    ci,
    drop,
    dropCi:
      drop === null || !ci
        ? null
        : original
          ? unpairedInterval(original, row)
          : [(mu as number) - ci[1], (mu as number) - ci[0]],
    p: null,
    pHolm: null,
  };
}

/** Newcombe (1998, Statistics in Medicine 17, 873), method 10: the difference of two independent shares. */
function unpairedInterval(first: Pooled, second: Pooled): Interval | null {
  if (!(first.n > 0)) return null;
  const [low1, high1] = wilson(first.accuracy * first.n, first.n);
  const [low2, high2] = wilson(second.accuracy * second.n, second.n);
  const difference = first.accuracy - second.accuracy;
  return [
    difference - Math.hypot(first.accuracy - low1, high2 - second.accuracy),
    difference + Math.hypot(high1 - first.accuracy, second.accuracy - low2),
  ];
}

function robustness(
  base: readonly Pooled[],
  inner: readonly Pooled[],
  main: readonly AccuracyCell[],
  { given, count }: { given: number | undefined; count: CountedScenarios | undefined },
): Robustness | null {
  const original = base.find(({ scenario }) => scenario === originalScenario);
  if (!original && given === undefined) return null;
  const cells = [...base, ...inner];
  const accuracy = Float64Array.from(cells, (cell) => cell.accuracy);
  const place = (cell: Pooled) => ({ scenario: cell.scenario, cell: cells.indexOf(cell) });
  const parts = {
    mu: given !== undefined ? { value: given } : { cell: cells.indexOf(original as Pooled) },
    cross: base.filter(({ scenario }) => isCounted(scenario, count)).map(place),
    inner: inner.map(place),
  };
  const score = robustnessOf({
    parts,
    accuracy,
    deviations: deviationsByCount(
      parts,
      accuracy,
      Float64Array.from(cells, ({ n }) => n),
    ),
  });
  if (!score) return null;
  const counted = main.filter(({ scenario }) => scenario === originalScenario || isCounted(scenario, count));
  const classes = classMeans(counted);
  const v1 = firstVersion(
    { values: Float64Array.from(pool(counted), (row) => row.accuracy) },
    classes.length ? { values: Float64Array.from(classes) } : undefined,
    0,
  );
  const full: Robustness = { ...score, classesCi: null, v1 };
  return { ...full, words: robustnessSentence(full) };
}

function classMeans(cells: readonly AccuracyCell[]): number[] {
  const names = [...new Set(cells.map((cell) => cell.class).filter(Boolean))];
  return names.map((name) => {
    const own = cells.filter((cell) => cell.class === name);
    return own.reduce((sum, { accuracy }) => sum + accuracy, 0) / own.length;
  });
}
