import { analyzePath } from '../../metrics/analyze/analyze-path.ts';
import { analysisFamilies, parseReferences } from '../../metrics/analyze/options.ts';
import { type CountedScenarios, countChoices } from '../../metrics/counted.ts';
import { type Heteroscedastic, heteroscedasticKinds } from '../../stats/covariance.ts';
import { defineCommand } from '../command.ts';
import { analysisText } from '../ui/analysis-text.ts';
import { print } from '../ui/output.ts';

export const analyze = defineCommand({
  name: 'analyze',
  summary: 'What matters: regression of accuracy on model, scenario and class, with diagnostics.',
  args: ['TABLE.csv|RUN'],
  options: {
    formula: {
      type: 'string',
      value: 'FORMULA',
      describe: "outcome and variables, as in R; default 'accuracy ~ model + scenario + class'",
    },
    reference: {
      type: 'string',
      value: 'VARIABLE=LEVEL,…',
      multiple: true,
      describe: "level the others are compared with; default 'original', else the first",
    },
    family: { type: 'string', choices: analysisFamilies, default: 'gaussian', describe: 'distribution of the outcome' },
    weights: { type: 'string', value: 'COLUMN', describe: 'weights of the rows; for shares the number of trials' },
    robust: { type: 'string', choices: heteroscedasticKinds, describe: 'errors that allow for unequal variances' },
    cluster: {
      type: 'string',
      value: 'COLUMN',
      describe: 'errors that allow for dependent rows: sample, group or a column',
    },
    compare: { type: 'string', value: 'FORMULA', describe: 'a second formula, tested against the first' },
    count: {
      type: 'string',
      choices: countChoices,
      describe:
        'rows that are fitted: the original images and the shifts, or all scenarios (default shifts; with --formula all)',
    },
    rows: {
      type: 'string',
      choices: ['cell', 'image'],
      default: 'cell',
      describe: 'of segmentation: means by model, scenario and class, or every image (then with --cluster sample)',
    },
    factor: { type: 'string', value: 'COLUMN', multiple: true, describe: 'a column of numbers to take as words' },
    order: {
      type: 'string',
      value: 'COLUMN',
      describe: 'column that orders the rows, for Durbin–Watson and the order plot',
    },
    level: { type: 'number', default: 0.95, describe: 'level of the intervals' },
    bootstrap: { type: 'number', describe: 'resamples of images for errors and shares; 0: none; default by size' },
    seed: { type: 'number', default: 0, describe: 'seed of the resampling' },
    tolerance: { type: 'number', default: 1e-10, describe: 'below this a column counts as a combination of others' },
  },
  examples: [
    'sceneshift analyze runs/today',
    "sceneshift analyze predictions.csv --formula 'correct ~ model + scenario' --family binomial --cluster sample",
    "sceneshift analyze runs/masks --formula 'dice ~ model + scenario' --rows image --cluster sample",
    "sceneshift analyze table.csv --formula 'accuracy ~ model * scenario' --reference model=ResNet50 --robust hc3",
  ],
  async run(values, [path]) {
    const result = await analyzePath(path, {
      rows: values.rows as 'cell' | 'image',
      formula: values.formula,
      references: parseReferences(values.reference),
      family: values.family as (typeof analysisFamilies)[number],
      weights: values.weights,
      robust: values.robust as Heteroscedastic | undefined,
      cluster: values.cluster,
      compare: values.compare,
      count: values.count as CountedScenarios | undefined,
      asFactor: new Set(values.factor.flatMap((names) => names.split(','))),
      order: values.order,
      level: values.level,
      seed: values.seed,
      replicates: values.bootstrap,
      tolerance: values.tolerance,
    });
    print(values.json, result, () => analysisText(result));
    return 0;
  },
});
