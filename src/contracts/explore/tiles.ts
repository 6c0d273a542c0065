import type { VariantTile } from '../studio/explore.ts';
import { type RunColumns, rowFlag } from './columns.ts';
import type { Match } from './match.ts';

/** What the grid says below the pictures of these variants. */
export function describeTiles(columns: RunColumns, match: Match, variants: ArrayLike<number>): VariantTile[] {
  const { rowStart, rowModel, rowFlags, rowAnswer, rowProbability, rowFold } = columns;
  return Array.from(variants, (v) => {
    const said = new Map<number, { count: number; confidence: number }>();
    let [asked, fails] = [0, 0];
    for (let row = rowStart[v]; row < rowStart[v + 1]; row++) {
      if (!match.model[rowModel[row]]) continue;
      asked++;
      const flags = rowFlags[row];
      if (!(flags & rowFlag.correct)) fails++;
      if ((flags & match.flagsSet) !== match.flagsSet || flags & match.flagsClear || !match.answer[rowAnswer[row]])
        continue;
      if (
        match.confidence &&
        !(rowProbability[row] >= match.confidence[0] && rowProbability[row] <= match.confidence[1])
      )
        continue;
      if (match.fold && !match.fold.has(rowFold[row])) continue;
      const known = said.get(rowAnswer[row]) ?? { count: 0, confidence: 0 };
      said.set(rowAnswer[row], { count: known.count + 1, confidence: Math.max(known.confidence, rowProbability[row]) });
    }
    const [answer, { confidence }] = [...said].sort(([, a], [, b]) => b.count - a.count)[0] ?? [
      -1,
      { confidence: Number.NaN },
    ];
    const sample = columns.variantSample[v];
    return {
      sample: columns.samples[sample],
      scenario: columns.scenarios[columns.variantScenario[v]],
      label: columns.labels[columns.sampleLabel[sample]],
      fails,
      asked,
      answer: columns.answers[answer] ?? '',
      confidence,
    };
  });
}
