import type { SampleAnswer, SamplePage } from '../studio/sample.ts';
import { type RunColumns, rowFlag } from './columns.ts';

/** All that is stored about one sample. */
export function describeSample(columns: RunColumns, id: string): Omit<SamplePage, 'saliency'> | undefined {
  const s = columns.samples.indexOf(id);
  if (s < 0) return undefined;
  const scenarios: SamplePage['scenarios'][number][] = [];
  for (let v = 0; v < columns.variantSample.length; v++) {
    if (columns.variantSample[v] !== s) continue;
    const answers: SampleAnswer[] = [];
    for (let row = columns.rowStart[v]; row < columns.rowStart[v + 1]; row++) {
      const flags = columns.rowFlags[row];
      answers.push({
        model: columns.models[columns.rowModel[row]],
        answer: columns.answers[columns.rowAnswer[row]],
        probability: columns.rowProbability[row],
        correct: (flags & rowFlag.correct) !== 0,
        flip: flags & rowFlag.lost ? 'lost' : flags & rowFlag.gained ? 'gained' : null,
      });
    }
    scenarios.push({ scenario: columns.scenarios[columns.variantScenario[v]], answers });
  }
  const size = columns.facts.size[s];
  return {
    sample: id,
    label: columns.labels[columns.sampleLabel[s]],
    size: Number.isNaN(size) ? null : size,
    scenarios,
    models: columns.models,
    before: columns.samples[s - 1] ?? null,
    after: columns.samples[s + 1] ?? null,
  };
}
