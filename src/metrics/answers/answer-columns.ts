import { shownLabel } from '../../labels/imagenet-1k.ts';
import { borderTrials } from '../../scenarios/paste.ts';
import type { ColumnTable, TextColumn } from '../analyze/table.ts';
import { originalScenario } from '../table/cells.ts';

/** The answers a report speaks about, in columns: of each model those of one head, as delivered where there is such. */
export interface AnswerColumns {
  readonly model: TextColumn;
  readonly scenario: TextColumn;
  readonly sample: TextColumn;
  readonly group: TextColumn;
  readonly label: TextColumn;
  readonly prediction: TextColumn;
  readonly fold: Float64Array;
  /** 1 where right, over all outputs. */
  readonly correct: Uint8Array;
  readonly rows: Uint32Array;
  /** By model: the scenario that the head shown was trained on; '' for a model as delivered, without a trained head. */
  readonly heads: ReadonlyMap<string, string>;
}

export function answersFrom(table: ColumnTable): AnswerColumns {
  const [model, trained] = [table.text('model'), table.has('trained') ? table.text('trained') : undefined];
  const heads = model.levels.map(() => new Set<string>());
  if (trained) for (const [row, code] of model.codes.entries()) heads[code].add(trained.levels[trained.codes[row]]);
  const head = heads.map((known) =>
    known.has('') || !known.size ? '' : known.has(originalScenario) ? originalScenario : [...known][0],
  );
  const rows: number[] = [];
  const scenario = table.text('scenario');
  const tried = borderTrials(scenario.levels);
  const left = scenario.levels.map((name) => tried.has(name));
  for (let row = 0; row < table.rowCount; row++)
    if (!left[scenario.codes[row]] && (!trained || trained.levels[trained.codes[row]] === head[model.codes[row]]))
      rows.push(row);
  const correct = table.numbers('correct');
  return {
    model,
    scenario,
    sample: table.text('sample'),
    group: table.has('group') ? table.text('group') : table.text('sample'),
    label: shown(table.text('label')),
    prediction: shown(table.text('prediction')),
    fold: table.has('fold') ? table.numbers('fold') : new Float64Array(table.rowCount).fill(-1),
    correct: Uint8Array.from(correct, (value) => (value === 1 ? 1 : 0)),
    rows: Uint32Array.from(rows),
    heads: new Map(model.levels.map((name, code) => [name, head[code]])),
  };
}

/** A report is for people: folders named by wnids are shown by their names. */
const shown = (column: TextColumn): TextColumn => ({ ...column, levels: column.levels.map(shownLabel) });

/** Counts of right answers by any key. */
export interface AnswerCounts {
  n: number;
  right: number;
}

export function tallyBy(answers: AnswerColumns, keyOf: (row: number) => string | undefined): Map<string, AnswerCounts> {
  const found = new Map<string, AnswerCounts>();
  for (const row of answers.rows) {
    const key = keyOf(row);
    if (key === undefined) continue;
    const tally = found.get(key) ?? { n: 0, right: 0 };
    tally.n++;
    tally.right += answers.correct[row];
    found.set(key, tally);
  }
  return found;
}

export const wordAt = ({ codes, levels }: TextColumn, row: number): string => levels[codes[row]];
