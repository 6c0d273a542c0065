import { shownLabel } from '../../labels/imagenet-1k.ts';
import { wordAt } from '../../metrics/answers/answer-columns.ts';
import { isCounted } from '../../metrics/counted.ts';
import type { ReportData } from '../data/load.ts';
import type { Section, Strip } from '../document.ts';
import { removesObject, scenarioTitle } from '../scenario-title.ts';

const reasons = {
  fragile: 'right as photographed, lost by edits',
  steady: 'right throughout',
  lost: 'wrong from the start',
  typical: 'one of the rest',
} as const;

/** The same object through every scenario, with what every model said. */
export function picturesSection({ pictures, answers, models }: ReportData): Section | null {
  if (!pictures.samples.length || !answers) return null;
  const wanted = new Set(pictures.samples.map(({ sample }) => sample));
  const said = new Map<string, { prediction: string; correct: boolean }>();
  for (const row of answers.rows) {
    const sample = wordAt(answers.sample, row);
    if (!wanted.has(sample)) continue;
    said.set(JSON.stringify([wordAt(answers.model, row), wordAt(answers.scenario, row), sample]), {
      prediction: wordAt(answers.prediction, row),
      correct: answers.correct[row] === 1,
    });
  }
  const strips = pictures.samples.map(
    (shown): Strip => ({
      sample: shown.sample,
      label: shownLabel(shown.label),
      why: reasons[shown.why],
      tiles: shown.pictures.map(({ scenario, src, width, height }) => ({
        scenario,
        title: scenarioTitle(scenario),
        src,
        width,
        height,
        counted: isCounted(scenario),
        judged: !removesObject(scenario),
        answers: models.flatMap((model) => {
          const answer = said.get(JSON.stringify([model, scenario, shown.sample]));
          return answer ? [{ model, ...answer }] : [];
        }),
      })),
    }),
  );
  return {
    id: 'pictures',
    title: 'The same object through every scenario',
    blocks: [
      {
        kind: 'text',
        text: 'The most telling samples: mostly those that edits break, some that nothing breaks, some that are lost from the start. ✓ is a right answer; ✗ a wrong one, with what was seen instead.',
      },
      { kind: 'strips', strips, models },
    ],
  };
}
