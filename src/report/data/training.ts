import { z } from 'zod';
import type { RunRecord } from '../../contracts/run-record.ts';
import type { HeadDifference, TrainingRow } from '../../contracts/training.ts';
import type { ColumnTable } from '../../metrics/analyze/table.ts';
import { wordAt } from '../../metrics/answers/answer-columns.ts';
import { originalScenario } from '../../metrics/table/cells.ts';
import { mixName } from '../../train/head-plan.ts';
import type { HeadTally } from '../../train/predict-heads.ts';
import { differencesOf, matrixOf } from '../../train/summary.ts';
import { type Curves, curvesOf } from './curves.ts';

/** A head on held-out images of what it was trained on. */
export interface HeadResult {
  readonly trained: string;
  /** The scenarios it was trained on. */
  readonly on: readonly string[];
  readonly n: number;
  readonly accuracy: number;
  /** Standard deviation over the folds: a spread, not a standard error. */
  readonly foldSpread: number | null;
  /** Of each fold, scikit-learn's C; none where it was trained elsewhere. */
  readonly strengths: readonly number[];
}

export interface TrainedModel {
  readonly model: string;
  readonly folds: number;
  readonly heads: readonly HeadResult[];
  readonly differences: readonly HeadDifference[];
  readonly curves: Curves;
}

interface TrainingInput {
  /** Null where the run has no predictions. */
  readonly table: ColumnTable | null;
  readonly rows: readonly TrainingRow[];
  readonly record: RunRecord;
  /** In the order they are shown. */
  readonly scenarios: readonly string[];
}

/** Models of which a run holds heads, from its answers and curves alone; so it is the same for those trained elsewhere. */
export function trainedModels({ table, rows, record, scenarios }: TrainingInput): TrainedModel[] {
  const tallies = table ? talliesOf(table) : new Map<string, Counted>();
  const models = new Set([...tallies.keys(), ...rows.map(({ model }) => model)]);
  return [...models].map((model): TrainedModel => {
    const { cells = [], folds: found = 0 } = tallies.get(model) ?? {};
    const own = rows.filter((row) => row.model === model);
    const known = recorded(record, model);
    const folds = Math.max(found, known.folds ?? 0);
    const names = inOrder([...new Set(cells.map(({ trained }) => trained))], scenarios);
    const tested = inOrder([...new Set(cells.map((cell) => cell.tested))], scenarios);
    const heads = names.flatMap((trained): HeadResult[] => {
      const on = tested.includes(trained) ? [trained] : (known.heads.get(trained) ?? mixtureOf(trained, tested));
      const pool = pooled(cells.filter((cell) => cell.trained === trained && on.includes(cell.tested)));
      if (!pool) return [];
      const [{ n, accuracy, foldSpread }] = matrixOf([{ trained, tested: trained, ...pool }]);
      const chosen = own.filter((row) => row.trained === trained && row.part === 'curve' && row.step === 0);
      return [{ trained, on, n, accuracy, foldSpread, strengths: chosen.map(({ strength }) => strength) }];
    });
    const ordered = tested.flatMap((scenario) => cells.filter((cell) => cell.tested === scenario));
    return {
      model,
      folds,
      heads,
      differences: differencesOf(
        ordered,
        names.map((name) => ({ name })),
        folds,
      ),
      curves: curvesOf(own),
    };
  });
}

interface Counted {
  readonly cells: readonly HeadTally[];
  readonly folds: number;
}

/** By model: right answers of each head in each scenario and fold. Models as delivered have no part in it. */
function talliesOf(table: ColumnTable): Map<string, Counted> {
  if (!table.has('trained')) return new Map();
  const [model, trained, scenario] = [table.text('model'), table.text('trained'), table.text('scenario')];
  const fold = table.has('fold') ? table.numbers('fold') : new Float64Array(table.rowCount).fill(-1);
  const correct = table.numbers('correct');
  const found = new Map<string, Map<string, Map<number, { right: number; count: number }>>>();
  for (let row = 0; row < table.rowCount; row++) {
    const head = wordAt(trained, row);
    if (!head) continue;
    const cells = entry(found, wordAt(model, row), () => new Map());
    const folds = entry(cells, JSON.stringify([head, wordAt(scenario, row)]), () => new Map());
    const tally = entry(folds, fold[row], () => ({ right: 0, count: 0 }));
    tally.count++;
    if (correct[row] === 1) tally.right++;
  }
  return new Map(
    [...found].map(([name, cells]) => {
      const folds = [...new Set([...cells.values()].flatMap((own) => [...own.keys()]))].sort((a, b) => a - b);
      const tallies = [...cells].map(([key, own]): HeadTally => {
        const [head, tested] = JSON.parse(key) as [string, string];
        return {
          trained: head,
          tested,
          right: folds.map((at) => own.get(at)?.right ?? 0),
          count: folds.map((at) => own.get(at)?.count ?? 0),
        };
      });
      return [name, { cells: tallies, folds: folds.length }];
    }),
  );
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function pooled(tallies: readonly HeadTally[]): Pick<HeadTally, 'right' | 'count'> | undefined {
  if (!tallies.length) return undefined;
  const add = (key: 'right' | 'count') =>
    tallies[0][key].map((_, fold) => tallies.reduce((sum, tally) => sum + tally[key][fold], 0));
  return { right: add('right'), count: add('count') };
}

/** `original` first, then as the run lists them, then what is no scenario. */
function inOrder(names: readonly string[], scenarios: readonly string[]): string[] {
  const order = [originalScenario, ...scenarios];
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...names].sort((a, b) => place(a) - place(b));
}

/** Where the record does not say what a mixture holds. */
const mixtureOf = (name: string, tested: readonly string[]): readonly string[] => (name === mixName ? tested : []);

const trainingSchema = z.object({
  backbone: z.string().optional(),
  folds: z.number().optional(),
  heads: z.array(z.object({ name: z.string(), scenarios: z.array(z.string()) })).optional(),
});

/** What `run.json` says of a model's training: `train` writes it for the run, `train --import` with the model. */
function recorded(record: RunRecord, model: string): { folds?: number; heads: Map<string, readonly string[]> } {
  const own = record.models.find(({ name }) => name === model)?.training;
  const parsed = trainingSchema.safeParse(own ?? record.training).data;
  if (!parsed || (!own && parsed.backbone !== model)) return { heads: new Map() };
  return {
    folds: parsed.folds,
    heads: new Map((parsed.heads ?? []).map(({ name, scenarios }) => [name, scenarios])),
  };
}
