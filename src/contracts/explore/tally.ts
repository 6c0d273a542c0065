import { type RunColumns, rowFlag } from './columns.ts';
import type { Match } from './match.ts';

export interface TallyCount {
  readonly name: string;
  readonly answers: number;
  readonly wrong: number;
}

/** What can be chosen in each filter, counted under all the others: what one gets by choosing it. */
export interface Facets {
  readonly model: readonly TallyCount[];
  readonly scenario: readonly TallyCount[];
  readonly class: readonly TallyCount[];
  readonly answered: readonly TallyCount[];
  readonly fold: readonly TallyCount[];
  readonly outcome: readonly TallyCount[];
  readonly flip: readonly TallyCount[];
}

const bits = { model: 1, scenario: 2, class: 4, answered: 8, fold: 16, outcome: 32, flip: 64, confidence: 128 };
const outcomes = ['right', 'wrong'] as const;
const flips = ['lost', 'gained', 'changed'] as const;

/** One walk for all: a row that one filter alone keeps out still counts for that filter's own choices. */
export function tallyFacets(columns: RunColumns, match: Match): Facets {
  const {
    variantSample,
    variantScenario,
    sampleLabel,
    rowStart,
    rowModel,
    rowAnswer,
    rowFlags,
    rowFold,
    rowProbability,
  } = columns;
  const wantedOutcome = (match.flagsSet & rowFlag.correct) | match.flagsClear;
  const flagsFlip = match.flagsSet & ~rowFlag.correct;
  const counters = {
    model: counter(columns.models.length),
    scenario: counter(columns.scenarios.length),
    class: counter(columns.labels.length),
    answered: counter(columns.answers.length),
    outcome: counter(2),
    flip: counter(3),
  };
  const folds = new Map<number, { answers: number; wrong: number }>();
  for (let v = 0; v < variantSample.length; v++) {
    const s = variantSample[v];
    if (!match.sample[s] || (match.variant && !match.variant[v])) continue;
    const [c, l] = [variantScenario[v], sampleLabel[s]];
    const keptOut = (match.scenario[c] ? 0 : bits.scenario) | (match.label[l] ? 0 : bits.class);
    if (keptOut === (bits.scenario | bits.class)) continue;
    for (let row = rowStart[v]; row < rowStart[v + 1]; row++) {
      const flags = rowFlags[row];
      let out = keptOut;
      if (!match.model[rowModel[row]]) out |= bits.model;
      if (!match.answer[rowAnswer[row]]) out |= bits.answered;
      if (match.fold && !match.fold.has(rowFold[row])) out |= bits.fold;
      if (
        wantedOutcome &&
        ((flags & match.flagsSet & rowFlag.correct) !== (match.flagsSet & rowFlag.correct) || flags & match.flagsClear)
      )
        out |= bits.outcome;
      if ((flags & flagsFlip) !== flagsFlip) out |= bits.flip;
      if (
        match.confidence &&
        !(rowProbability[row] >= match.confidence[0] && rowProbability[row] <= match.confidence[1])
      )
        out |= bits.confidence;
      // At most one filter keeps it out.
      if (out & (out - 1) || out === bits.confidence) continue;
      const wrong = flags & rowFlag.correct ? 0 : 1;
      if (!out || out === bits.model) add(counters.model, rowModel[row], wrong);
      if (!out || out === bits.scenario) add(counters.scenario, c, wrong);
      if (!out || out === bits.class) add(counters.class, l, wrong);
      if (!out || out === bits.answered) add(counters.answered, rowAnswer[row], wrong);
      if (!out || out === bits.outcome) add(counters.outcome, wrong, wrong);
      if (!out || out === bits.flip) {
        if (flags & rowFlag.lost) add(counters.flip, 0, wrong);
        if (flags & rowFlag.gained) add(counters.flip, 1, wrong);
        if (flags & rowFlag.changed) add(counters.flip, 2, wrong);
      }
      if (!out || out === bits.fold) {
        const known = folds.get(rowFold[row]) ?? { answers: 0, wrong: 0 };
        known.answers++;
        known.wrong += wrong;
        folds.set(rowFold[row], known);
      }
    }
  }
  return {
    model: named(columns.models, counters.model),
    scenario: named(columns.scenarios, counters.scenario),
    class: named(columns.labels, counters.class),
    answered: named(columns.answers, counters.answered)
      .filter(({ answers }) => answers)
      .sort((a, b) => b.answers - a.answers)
      .slice(0, 60),
    fold: [...folds].sort(([a], [b]) => a - b).map(([fold, count]) => ({ name: String(fold), ...count })),
    outcome: named(outcomes, counters.outcome),
    flip: named(flips, counters.flip),
  };
}

export const tallyAxes = ['model', 'scenario', 'class', 'answered'] as const;
export type TallyAxis = (typeof tallyAxes)[number];

/** Answers and wrong ones by two of these at once; row by row, `columns` after `columns`. */
export interface CrossTally {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly answers: readonly number[];
  readonly wrong: readonly number[];
}

export function crossTally(columns: RunColumns, match: Match, [a, b]: readonly [TallyAxis, TallyAxis]): CrossTally {
  const {
    variantSample,
    variantScenario,
    sampleLabel,
    rowStart,
    rowModel,
    rowAnswer,
    rowFlags,
    rowFold,
    rowProbability,
  } = columns;
  const { model, scenario, label, answer, sample, variant, fold, flagsSet, flagsClear, confidence } = match;
  const names = {
    model: columns.models,
    scenario: columns.scenarios,
    class: columns.labels,
    answered: columns.answers,
  };
  const width = names[b].length;
  const counts = counter(names[a].length * width);
  const codes = { model: 0, scenario: 0, class: 0, answered: 0 };
  for (let v = 0; v < variantSample.length; v++) {
    const s = variantSample[v];
    codes.scenario = variantScenario[v];
    codes.class = sampleLabel[s];
    if (!scenario[codes.scenario] || !sample[s] || !label[codes.class] || (variant && !variant[v])) continue;
    for (let row = rowStart[v]; row < rowStart[v + 1]; row++) {
      const flags = rowFlags[row];
      codes.model = rowModel[row];
      codes.answered = rowAnswer[row];
      if (!model[codes.model] || !answer[codes.answered]) continue;
      if ((flags & flagsSet) !== flagsSet || flags & flagsClear) continue;
      if (confidence && !(rowProbability[row] >= confidence[0] && rowProbability[row] <= confidence[1])) continue;
      if (fold && !fold.has(rowFold[row])) continue;
      add(counts, codes[a] * width + codes[b], flags & rowFlag.correct ? 0 : 1);
    }
  }
  return { rows: names[a], columns: names[b], answers: [...counts.answers], wrong: [...counts.wrong] };
}

interface Counter {
  readonly answers: Uint32Array;
  readonly wrong: Uint32Array;
}
const counter = (length: number): Counter => ({ answers: new Uint32Array(length), wrong: new Uint32Array(length) });
const add = ({ answers, wrong }: Counter, at: number, isWrong: number) => {
  answers[at]++;
  wrong[at] += isWrong;
};
const named = (names: readonly string[], { answers, wrong }: Counter): TallyCount[] =>
  names.map((name, i) => ({ name, answers: answers[i], wrong: wrong[i] }));
