import { originalScenario } from '../table/cells.ts';
import { type AnswerColumns, tallyBy, wordAt } from './answer-columns.ts';

export interface ClassCell {
  readonly model: string;
  readonly scenario: string;
  readonly class: string;
  readonly n: number;
  readonly accuracy: number;
}

export interface HardClass {
  readonly class: string;
  readonly n: number;
  readonly original: number | null;
  readonly edited: number | null;
  readonly worstScenario: string | null;
  readonly worst: number | null;
}

const separator = '\u0000';

/** Accuracy of every model on every scenario and class. */
export function classCells(answers: AnswerColumns): ClassCell[] {
  const tallies = tallyBy(answers, (row) =>
    [wordAt(answers.model, row), wordAt(answers.scenario, row), wordAt(answers.label, row)].join(separator),
  );
  return [...tallies].map(([key, { n, right }]) => {
    const [model, scenario, name] = key.split(separator);
    return { model, scenario, class: name, n, accuracy: right / n };
  });
}

/** Classes by accuracy under edits, all models together, the hardest first. */
export function hardestClasses(cells: readonly ClassCell[]): HardClass[] {
  const names = [...new Set(cells.map((cell) => cell.class))];
  const pooled = (some: readonly ClassCell[]) => {
    const n = some.reduce((sum, cell) => sum + cell.n, 0);
    return n ? some.reduce((sum, cell) => sum + cell.n * cell.accuracy, 0) / n : null;
  };
  return names
    .map((name) => {
      const own = cells.filter((cell) => cell.class === name);
      const edited = own.filter(({ scenario }) => scenario !== originalScenario);
      const byScenario = [...new Set(edited.map(({ scenario }) => scenario))]
        .map((scenario) => ({
          scenario,
          accuracy: pooled(edited.filter((cell) => cell.scenario === scenario)) as number,
        }))
        .sort((a, b) => a.accuracy - b.accuracy || (a.scenario < b.scenario ? -1 : 1));
      return {
        class: name,
        n: Math.max(...own.map((cell) => cell.n)),
        original: pooled(own.filter(({ scenario }) => scenario === originalScenario)),
        edited: pooled(edited),
        worstScenario: byScenario[0]?.scenario ?? null,
        worst: byScenario[0]?.accuracy ?? null,
      };
    })
    .sort((a, b) => (a.edited ?? a.original ?? 0) - (b.edited ?? b.original ?? 0) || (a.class < b.class ? -1 : 1));
}
