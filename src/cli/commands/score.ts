import { expected } from '../../contracts/errors.ts';
import { type RankMeasure, rankMeasures } from '../../contracts/rank.ts';
import { replaceFile } from '../../formats/replace-file.ts';
import { type CountedScenarios, countChoices } from '../../metrics/counted.ts';
import { scoreCsv } from '../../metrics/score/csv.ts';
import { defaultShipMargin } from '../../metrics/score/options.ts';
import { scorePath } from '../../metrics/score-run.ts';
import { defaultMargin } from '../../metrics/verdict/verdict.ts';
import { defineCommand } from '../command.ts';
import { asPublishedText } from '../ui/as-published.ts';
import { classText } from '../ui/class-table.ts';
import { print } from '../ui/output.ts';
import { rankText } from '../ui/rank.ts';
import { scoreText } from '../ui/score.ts';

export const score = defineCommand({
  name: 'score',
  summary: 'Accuracy, drops and robustness of every model, with intervals.',
  args: ['RUN|CSV'],
  options: {
    mu: {
      type: 'string',
      value: 'MODEL=V',
      multiple: true,
      describe: "a model's accuracy on original, for a table without it; V alone is for all models",
    },
    margin: {
      type: 'number',
      value: 'D',
      describe: `of the verdict: a loss before other backgrounds that matters (default the run's, else ${defaultMargin}, five points)`,
    },
    'ship-margin': {
      type: 'number',
      value: 'D',
      default: defaultShipMargin,
      describe: 'a model worse than the best by less than this may be shipped',
    },
    seed: { type: 'number', default: 0, describe: 'of the resampling' },
    bootstrap: { type: 'number', describe: 'resamples (by default 100 to 2000, by size)' },
    by: { type: 'string', choices: ['class'], describe: 'also every class by itself' },
    rank: { type: 'boolean', describe: 'which model to take: a ranking under the shifts that count' },
    shifts: {
      type: 'string',
      value: 'LIST',
      multiple: true,
      describe:
        "what counts for --rank: 'background=blur-background,random-background,light=lighting:over', or background,camera,colour,light alone (default: every scenario, by what it changes)",
    },
    measure: { type: 'string', choices: rankMeasures, describe: 'of --rank (default accuracy)' },
    heads: { type: 'boolean', describe: 'with --rank: every trained head is a candidate of its own' },
    count: {
      type: 'string',
      choices: countChoices,
      default: 'shifts',
      describe: "what robustness, drops and rankings count; all: every scenario but original, as the papers' sums",
    },
    own: { type: 'boolean', describe: "count answers over the dataset's own classes" },
    'as-published': {
      type: 'boolean',
      describe: "also as ImageNet-D's programs count: a hit per accepted output in top-5, unclear answers left out",
    },
    csv: { type: 'string', value: 'FILE', describe: 'also write one line per model, scenario and class' },
  },
  examples: [
    'sceneshift score runs/first',
    'sceneshift score predictions.csv --by class --csv scores.csv',
    'sceneshift score runs/line --rank --shifts background,camera,light --measure balanced',
    'sceneshift score table.csv --mu ResNet50=0.9527 --json',
  ],
  async run({ json, mu, margin, seed, bootstrap, by, own, csv, count, ...rest }, [path]) {
    const { 'ship-margin': shipMargin, 'as-published': published, ...ranking } = rest;
    const byClass = by === 'class' || csv !== undefined;
    const result = await scorePath(path, {
      mu: parseMu(mu),
      margin,
      shipMargin,
      seed,
      bootstrap,
      byClass,
      own,
      count: count as CountedScenarios,
      asPublished: published,
      rank: rankOptions(ranking),
    });
    if (csv) await replaceFile(csv, scoreCsv(result));
    const shown =
      by === 'class' ? result : { ...result, models: result.models.map(({ classes: _, ...model }) => model) };
    print(json, shown, () =>
      [
        scoreText(result),
        ...(by === 'class' ? [classText(result)] : []),
        ...(result.rank ? [rankText(result.rank)] : []),
        ...(result.asPublished ? [asPublishedText(result.asPublished)] : []),
      ].join('\n\n'),
    );
  },
});

/** Naming a shift or a measure asks for the ranking too. */
function rankOptions(given: { rank: boolean; heads: boolean; shifts: string[]; measure: string | undefined }) {
  const { rank, heads, shifts, measure } = given;
  if (!rank && !heads && !shifts.length && !measure) return undefined;
  return { shifts, heads, by: measure as RankMeasure | undefined };
}

/** `MODEL=V` or `V`; a model's name may hold an equals sign. */
function parseMu(given: readonly string[]): Map<string, number> {
  return new Map(
    given.map((text) => {
      const at = text.lastIndexOf('=');
      const value = Number(text.slice(at + 1));
      if (text.slice(at + 1).trim() === '' || !(value >= 0 && value <= 1))
        throw expected(
          'MODEL=VALUE with a fraction from 0 to 1',
          '--mu',
          text,
          'write for instance --mu ResNet50=0.9527',
        );
      return [at < 0 ? '' : text.slice(0, at), value];
    }),
  );
}
