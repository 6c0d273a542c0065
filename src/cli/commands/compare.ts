import { writeFile } from 'node:fs/promises';
import { expected, UserError } from '../../contracts/errors.ts';
import { compare } from '../../metrics/compare/compare.ts';
import { flipsCsv } from '../../metrics/compare/flips-csv.ts';
import type { Side } from '../../metrics/compare/join.ts';
import { type Count, countChoices } from '../../metrics/counted.ts';
import { segmentsOnly } from '../../metrics/segmentation/read.ts';
import { loadScores } from '../../metrics/table/load.ts';
import type { Predictions } from '../../metrics/table/predictions.ts';
import { defineCommand } from '../command.ts';
import { comparisonText } from '../ui/compare.ts';
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
    if (!(detect > 0 && detect < 1))
      throw expected('a fraction between 0 and 1', '--detect', detect, '0.02 is two points');
    if (await segmentsOnly(pathA)) {
      const { compareSegmentations } = await import('../compare-segmentation.ts');
      return compareSegmentations(pathA, pathB, { json, models, seed, bootstrap });
    }
    const a = await loadPredictions(pathA);
    const b = pathB === undefined ? a : await loadPredictions(pathB);
    const results = sidesOf(a, b, models, pathB !== undefined).map(([x, y]) =>
      compare(x, y, { seed, bootstrap, detect, count: count as Count }),
    );
    if (flips) await writeFile(flips, flipsCsv(results));
    const comparisons = results.map(({ comparison }) => comparison);
    print(json, comparisons.length === 1 ? comparisons[0] : { comparisons }, () =>
      comparisons.map((comparison) => comparisonText(comparison)).join('\n\n'),
    );
  },
});

async function loadPredictions(path: string): Promise<Predictions> {
  const loaded = await loadScores(path);
  if (loaded.kind === 'accuracy')
    throw expected('predictions, one row per image', path, 'an accuracy table', 'without images nothing can be paired');
  return loaded.predictions;
}

/** The models named; else every model both have; else the only one of each. */
function sidesOf(a: Predictions, b: Predictions, models: string | undefined, two: boolean): [Side, Side][] {
  const [inA, inB] = [a.model.levels, b.model.levels];
  if (models !== undefined) {
    const [first, second, ...more] = models.split(',').map((name) => name.trim());
    if (!first || !second || more.length > 0) throw expected('two models, A,B', '--models', models);
    if (!inA.includes(first)) throw expected(`one of ${inA.join(', ')}`, 'the first of --models', first);
    if (!inB.includes(second)) throw expected(`one of ${inB.join(', ')}`, 'the second of --models', second);
    return [
      [
        { predictions: a, model: first },
        { predictions: b, model: second },
      ],
    ];
  }
  if (!two) {
    if (inA.length === 2)
      return [
        [
          { predictions: a, model: inA[0] },
          { predictions: a, model: inA[1] },
        ],
      ];
    throw new UserError(`${a.source} has ${inA.length} models (${inA.join(', ')}); say which two with --models A,B`);
  }
  const common = inA.filter((model) => inB.includes(model));
  if (common.length > 0)
    return common.map((model) => [
      { predictions: a, model },
      { predictions: b, model },
    ]);
  if (inA.length === 1 && inB.length === 1)
    return [
      [
        { predictions: a, model: inA[0] },
        { predictions: b, model: inB[0] },
      ],
    ];
  throw new UserError(
    `No model is in both: A has ${inA.join(', ')}; B has ${inB.join(', ')}; say which with --models A,B`,
  );
}
