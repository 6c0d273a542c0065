import { expected } from '../../contracts/errors.ts';
import { loadScoredRun } from '../../metrics/score-run.ts';
import { inOwnFolder } from '../../run/folder/index.ts';
import { inStagedFolder } from '../../storage/in-staged-folder.ts';
import { isBelow, isS3, resolvePlace } from '../../storage/s3-url.ts';
import type { StagedFolder } from '../../storage/staged-folder.ts';
import { defineCommand } from '../command.ts';
import { loadConfig } from '../config.ts';
import { configOption, dataOptions, sceneOptions, settingsFrom, workOptions } from '../options.ts';
import { runConfig } from '../run-config.ts';
import { readShare, shareOptions } from '../shares/options.ts';
import { print } from '../ui/output.ts';
import { shownPath } from '../ui/path.ts';
import { runSummaryText } from '../ui/run-summary.ts';

export const run = defineCommand({
  name: 'run',
  summary: 'Run every model on every scenario; the same command continues where it stopped.',
  options: {
    data: { type: 'string', value: 'PATH', describe: 'image folder, manifest or dataset' },
    model: {
      type: 'string',
      value: 'MODEL',
      multiple: true,
      describe: 'ONNX file, Hugging Face id or folder, or kind:rest',
    },
    ...sceneOptions,
    'no-controls': {
      type: 'boolean',
      describe: 'only what --scenarios names; the verdict then cannot say what pasting costs by itself',
    },
    out: { type: 'string', value: 'RUN', describe: 'the run folder' },
    limit: { type: 'number', describe: 'at most so many samples' },
    sample: { type: 'number', describe: 'so many samples of each class' },
    folds: { type: 'number', value: 'K', describe: 'stratified folds, stored with every row' },
    batch: { type: 'number', describe: 'variants in one call of a model' },
    margin: {
      type: 'number',
      value: 'D',
      describe: 'of the verdict: a loss before other backgrounds that matters (default 0.05, five points)',
    },
    'no-report': {
      type: 'boolean',
      describe: 'rows and scores alone; the same command without this draws the pictures and writes the report',
    },
    offline: { type: 'boolean', describe: 'take models from the cache only' },
    ...shareOptions,
    chunk: { type: 'number', value: 'N', describe: 'with --queue: answers a worker takes at a time (default 400)' },
    'models-at-once': {
      type: 'number',
      value: 'N',
      describe: 'with --queue: models a worker holds at a time, where all together are too large (default: all)',
    },
    ...dataOptions,
    ...workOptions,
    ...configOption,
  },
  examples: [
    'sceneshift run --data photos/ --model resnet50.onnx --scenarios ximagenet-12 --backgrounds plates/ --out runs/first',
    'sceneshift run            # everything from sceneshift.yaml',
  ],
  async run(values) {
    const config = await loadConfig(values.config, {
      ...settingsFrom(values),
      models: values.model,
      margin: values.margin,
    });
    if (!config.data) throw expected('a dataset', '--data', undefined);
    if (!config.models.length) throw expected('at least one model', '--model', undefined);
    const withoutReport = Boolean(values['no-report']);
    const place = {
      withoutReport,
      offline: Boolean(values.offline),
      share: readShare(values.shard),
      queue:
        values.queue === undefined
          ? undefined
          : {
              url: values.queue,
              root: resolvePlace(values.root),
              answersPerChunk: wholeNumber(values.chunk, '--chunk'),
              modelsAtOnce: wholeNumber(values['models-at-once'], '--models-at-once'),
            },
    };
    const into = async (out: string, staged?: StagedFolder) => {
      let scoring: ReturnType<typeof loadScoredRun> | undefined;
      let report: Promise<typeof import('../../report/index.ts')> | undefined;
      const onAnswered = (run: string) => {
        scoring = loadScoredRun(run);
        report = import('../../report/index.ts');
        // Told where they are waited for.
        scoring.catch(() => undefined);
        report.catch(() => undefined);
      };
      const summary = await runConfig(config, { ...place, out, staged, onAnswered });
      const finish = async () => {
        const scored = await (scoring ?? loadScoredRun(summary.run));
        if (withoutReport) return { scored, report: null };
        const { writeReport } = await (report ?? import('../../report/index.ts'));
        return { scored, ...(await writeReport(summary.run, scored)) };
      };
      // One who stood by may have the folder meanwhile.
      const finished = await (place.queue ? inOwnFolder(summary.run, finish, { wait: {} }) : finish());
      return { summary, ...finished };
    };
    const out = config.out ?? 'runs/latest';
    if (isS3(out) && isS3(config.data) && isBelow(out, config.data))
      throw expected(
        'a place outside the dataset',
        '--out',
        out,
        `what is written there would become part of ${config.data}`,
      );
    const { summary, scored, report } = isS3(out)
      ? await inStagedFolder(out, (staged) => into(staged.path, staged), { wait: place.queue && {} })
      : await into(out);
    print(
      values.json,
      {
        run: summary.run,
        rows: summary.rows,
        errors: summary.errors.length,
        seconds: summary.seconds,
        score: scored.score,
        report,
      },
      () =>
        [
          runSummaryText(scored.score),
          `Scenario by scenario: sceneshift score ${shownPath(summary.run)}${report ? `\nReport: ${report}` : ''}`,
        ].join('\n\n'),
    );
  },
});

function wholeNumber(given: number | undefined, option: string): number | undefined {
  if (given === undefined || (Number.isInteger(given) && given > 0)) return given;
  throw expected('a whole number, 1 or more', option, given);
}
