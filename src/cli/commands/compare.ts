import { replaceFile } from '../../formats/replace-file.ts';
import { comparePaths } from '../../metrics/compare/compare-paths.ts';
import { flipsCsv } from '../../metrics/compare/flips-csv.ts';
import { type CountedScenarios, countChoices } from '../../metrics/counted.ts';
import { segmentsOnly } from '../../metrics/segmentation/read.ts';
import { defineCommand } from '../command.ts';
import { comparisonText } from '../ui/comparison-text.ts';
import { print } from '../ui/output.ts';

export const compareCommand = defineCommand({
  name: 'compare',
  summary: 'Two runs, or two models of one run, on the same images: what changed, and is it more than chance?',
  args: ['A', '[B]'],
  options: {
    models: { type: 'string', value: 'A,B', describe: 'which model of A and which of B (or two of A alone)' },
    detect: { type: 'number', value: 'D', default: 0.02, describe: 'say how many images would show a difference of D' },
    flips: { type: 'string', value: 'FILE', describe: 'write every sample whose answer turned, as CSV' },
    count: {
      type: 'string',
      choices: countChoices,
      default: 'shifts',
      describe: 'what the mean and the robustness count; all: every scenario but original',
    },
    seed: { type: 'number', default: 0, describe: 'of the resampling' },
    bootstrap: { type: 'number', describe: 'resamples (by default 100 to 2000, by size)' },
  },
  examples: [
    'sceneshift compare runs/manual-masks runs/auto-masks',
    'sceneshift compare runs/first --models resnet50,vit-s --flips flips.csv',
  ],
  async run({ json, models, detect, flips, seed, bootstrap, count }, [pathA, pathB]) {
    if (await segmentsOnly(pathA)) {
      const { compareSegmentations } = await import('../compare-segmentation.ts');
      return compareSegmentations(pathA, pathB, { json, models, seed, bootstrap });
    }
    const results = await comparePaths(pathA, pathB, {
      models,
      seed,
      bootstrap,
      detect,
      count: count as CountedScenarios,
    });
    if (flips) await replaceFile(flips, flipsCsv(results));
    const comparisons = results.map(({ comparison }) => comparison);
    print(json, comparisons.length === 1 ? comparisons[0] : { comparisons }, () =>
      comparisons.map((comparison) => comparisonText(comparison)).join('\n\n'),
    );
  },
});
