import { type RunColumns, rowFlag } from './columns.ts';
import type { Layout } from './filter.ts';
import type { Match } from './match.ts';

export interface SelectedGroup {
  readonly name: string;
  /** Variants shown in it. */
  readonly count: number;
  /** Answers that the filter leaves in it, and those of them that are wrong. */
  readonly answers: number;
  readonly wrong: number;
}

export interface Selection {
  /** Variants in the order they are shown. */
  readonly order: Uint32Array;
  /** In the order they are shown; one without a name where nothing groups. */
  readonly groups: readonly SelectedGroup[];
  readonly answers: number;
  readonly wrong: number;
}

const levels = 10_000;

/** The variants with an answer that passes, sorted and grouped. */
export function selectVariants(columns: RunColumns, match: Match, { sort, group }: Layout): Selection {
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
  const variants = variantSample.length;
  const names = group === 'scenario' ? columns.scenarios : group === 'sample' ? columns.samples : columns.labels;
  const groupOf = (v: number) =>
    group === 'scenario' ? variantScenario[v] : group === 'sample' ? variantSample[v] : sampleLabel[variantSample[v]];
  const groupCount = group === 'none' ? 1 : names.length;
  const groupVariants = new Uint32Array(groupCount);
  const groupAnswers = new Uint32Array(groupCount);
  const groupWrong = new Uint32Array(groupCount);
  const found = new Uint32Array(variants);
  const ranks = new Uint32Array(variants);
  let count = 0;
  for (let v = 0; v < variants; v++) {
    const s = variantSample[v];
    if (!scenario[variantScenario[v]] || !sample[s] || !label[sampleLabel[s]] || (variant && !variant[v])) continue;
    let [passing, wrong, asked, fails, best] = [0, 0, 0, 0, 0];
    for (let row = rowStart[v]; row < rowStart[v + 1]; row++) {
      if (!model[rowModel[row]]) continue;
      const flags = rowFlags[row];
      const isWrong = flags & rowFlag.correct ? 0 : 1;
      asked++;
      fails += isWrong;
      if ((flags & flagsSet) !== flagsSet || flags & flagsClear || !answer[rowAnswer[row]]) continue;
      const probability = rowProbability[row];
      if (confidence && !(probability >= confidence[0] && probability <= confidence[1])) continue;
      if (fold && !fold.has(rowFold[row])) continue;
      passing++;
      wrong += isWrong;
      if (probability > best) best = probability;
    }
    if (!passing) continue;
    const g = group === 'none' ? 0 : groupOf(v);
    groupVariants[g]++;
    groupAnswers[g] += passing;
    groupWrong[g] += wrong;
    // Small ranks come first; variants of one rank stay in the dataset's order.
    ranks[count] =
      sort === 'fails'
        ? Math.round(levels * (1 - fails / asked))
        : sort === 'sure'
          ? Math.round(levels * (1 - best))
          : sort === 'unsure'
            ? Math.round(levels * best)
            : 0;
    found[count++] = v;
  }
  const shown = Array.from({ length: groupCount }, (_, g) => g).filter((g) => groupVariants[g]);
  if (sort === 'fails')
    shown.sort((a, b) => groupWrong[b] / groupAnswers[b] - groupWrong[a] / groupAnswers[a] || a - b);
  const place = new Float64Array(groupCount);
  for (const [i, g] of shown.entries()) place[g] = i;
  // One number per variant (group, rank, place) sorts natively, many times faster than by a comparison.
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const g = group === 'none' ? 0 : place[groupOf(found[i])];
    keys[i] = (g * (levels + 1) + ranks[i]) * variants + found[i];
  }
  keys.sort();
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = keys[i] % variants;
  const groups = shown.map((g) => ({
    name: group === 'none' ? '' : names[g],
    count: groupVariants[g],
    answers: groupAnswers[g],
    wrong: groupWrong[g],
  }));
  return { order, groups, answers: sum(groupAnswers), wrong: sum(groupWrong) };
}

const sum = (values: Uint32Array) => values.reduce((a, b) => a + b, 0);
