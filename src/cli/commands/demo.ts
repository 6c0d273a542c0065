import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { UserError } from '../../contracts/errors.ts';
import { percentOf } from '../../contracts/numbers.ts';
import type { Dataset } from '../../contracts/sample.ts';
import { checkDataset } from '../../dataset/check/check.ts';
import { encodeImage } from '../../image/encode.ts';
import { judgeTwins } from '../../metrics/planted-bias/known-truth.ts';
import { loadScoredRun } from '../../metrics/score-run.ts';
import { sweepPartial, writeAtomic } from '../../run/atomic.ts';
import { openConfiguredDataset } from '../../run/configured-dataset.ts';
import { photographOptions, threadsFrom } from '../../run/inputs.ts';
import { predictJob } from '../../run/predict-job.ts';
import { parseConfig } from '../../run/settings.ts';
import { keepThreadsWhile, startThreads } from '../../run/threads.ts';
import { parseScenarioList } from '../../scenarios/name.ts';
import { defineCommand } from '../command.ts';
import { answersOf } from '../demo/answers.ts';
import { type Benchmark, type BenchmarkImage, readBenchmark } from '../demo/benchmark.ts';
import { drawSheet } from '../demo/sheet.ts';
import { editingCosts, verdictText } from '../demo/verdict.ts';
import { openFile } from '../open-file.ts';
import { runConfig } from '../run-config.ts';
import { trainConfig } from '../train/heads.ts';
import { print } from '../ui/output.ts';
import { shownPath } from '../ui/path.ts';
import { runSummaryText } from '../ui/run-summary.ts';
import { textWidth, wrap } from '../ui/wrap.ts';

const allScenarios = ['ximagenet-12', 'generated-background', 'imagenet-e-plain', 'only-bg-t'];
/** What the truth about the planted bias is read from. */
const judgedScenarios = ['original', 'random-background'];
/** What heads are trained in: an edit of the background, of the colours, another background, none. */
const headScenarios = ['original', 'blur-background', 'grey', 'random-background', 'segmented'];
const sheetScenarios =
  'original,blur-background,grey,segmented,random-background,generated-background,transparent,size:0.05,direction,only-bg-t';

export const demo = defineCommand({
  name: 'demo',
  summary: 'The whole line on the embedded benchmark, offline: check, run, score, explain, report.',
  options: {
    out: { type: 'string', value: 'DIR', describe: 'folder for the run and its report', default: 'demo' },
    scenarios: {
      type: 'string',
      value: 'LIST',
      multiple: true,
      describe: `for a quicker look, only these beside ${judgedScenarios.join(' and ')} (default all 25)`,
    },
    threads: { type: 'number', describe: 'cores to use (default all)' },
    open: { type: 'boolean', describe: 'open the report when it is done' },
  },
  examples: [
    'sceneshift demo',
    'sceneshift demo --open',
    'sceneshift demo --scenarios quick',
    'sceneshift demo --out /tmp/demo --json',
  ],
  // The heads are trained by the threads that answered.
  run: (values) => keepThreadsWhile(() => runDemo(values)),
});

interface DemoValues {
  readonly out: string;
  readonly scenarios?: readonly string[];
  readonly threads?: number;
  readonly open: boolean;
  readonly json: boolean;
}

async function runDemo({ out, scenarios = [], threads, open, json }: DemoValues): Promise<void> {
  const folder = resolve(out);
  const benchmark = await readBenchmark();
  // They load their code while the pictures are checked; a demo that was run before may need none.
  if (!existsSync(join(folder, 'run'))) startThreads(predictJob.name, threadsFrom(threads));
  const dataset = await checked(benchmark.manifest);
  const config = parseConfig(
    {
      data: benchmark.manifest,
      backgrounds: benchmark.backgrounds,
      generated: benchmark.generated,
      models: benchmark.models,
      scenarios: scenarios.length ? [...judgedScenarios, ...scenarios] : allScenarios,
      threads,
      out: join(folder, 'run'),
    },
    'the demo',
  );
  const asked = new Set(parseScenarioList(config.scenarios ?? []).map(({ name }) => name));
  // Beside the pictures of the report: no core waits for another. Heads are trained by the threads that drew them.
  const begin = (run: string) => {
    let hasHeads = () => {};
    const fitting = new Promise<void>((resolve) => (hasHeads = resolve));
    const training = trainInScenario(
      { ...config, scenarios: headScenarios.filter((name) => asked.has(name)) },
      benchmark,
      { folder, threadsOf: running, onProgress: (stage, done) => stage === 'heads' && done > 0 && hasHeads() },
    );
    const scoring = loadScoredRun(run);
    // What goes wrong is told where they are waited for.
    training.then(hasHeads, hasHeads);
    scoring.catch(() => undefined);
    return { training, fitting, scoring };
  };
  const begun: ReturnType<typeof begin>[] = [];
  const onAnswered = (run: string) => void begun.push(begin(run));
  const running = runConfig(config, { out: join(folder, 'run'), offline: true, onAnswered });
  const summary = await running;
  const { training, fitting, scoring } = begun[0] ?? begin(summary.run);
  const scored = await scoring;
  const { score } = scored;
  const answers = answersOf(scored);
  const verdict = judgeTwins(answers, benchmark.images, benchmark.twins);
  const answered = new Set(answers.map(({ scenario }) => scenario));
  const sheet = join(folder, 'sheet.png');
  if (summary.computed || !existsSync(sheet)) {
    const { biased, unbiased } = benchmark.twins[0];
    const picture = await drawSheet({
      samples: dataset.samples,
      shown: shownIn(benchmark.images).map(({ id, label, environment, usual }) => ({
        sample: sampleOf(dataset, id),
        title: [label, environment, usual ? 'usual' : 'elsewhere'],
      })),
      scenarios: parseScenarioList(sheetScenarios).filter(({ name }) => answered.has(name)),
      models: [biased, unbiased],
      answers,
      seed: config.seed,
      backgrounds: benchmark.backgrounds,
      generated: benchmark.generated,
      photographs: photographOptions(config),
    });
    await writeAtomic(folder, 'sheet.png', await encodeImage(picture, { format: 'png' }));
    await sweepPartial(folder);
  }
  const { writeReport } = await import('../../report/index.ts');
  // Its regression takes the main thread for itself: not before the other threads have enough to do without it.
  await fitting;
  const { report } = await writeReport(summary.run, scored);
  const heads = await training;
  const { rows, computed, seconds } = summary;
  const result = {
    data: dataset.path,
    run: summary.run,
    sheet,
    report,
    rows,
    computed,
    errors: summary.errors.length,
    seconds,
    verdict,
    heads,
    score,
  };
  print(json, result, () =>
    [
      runSummaryText(score),
      verdictText(verdict, editingCosts(score))
        .map((part) => wrap(part, textWidth(), 2))
        .join('\n'),
      wrap(headsText(heads), textWidth(), 2),
      [
        `Look: ${shownPath(sheet)} · scenario by scenario: sceneshift score ${shownPath(summary.run)}`,
        `Trained in the scenario: ${shownPath(heads.report)}`,
        'Your own: npx sceneshift run --data PHOTOS --model MODEL.onnx --out runs/first',
        `Report: ${shownPath(report)}`,
      ].join('\n'),
    ].join('\n\n'),
  );
  if (open) await openFile(report);
}

async function checked(manifest: string): Promise<Dataset> {
  const dataset = await openConfiguredDataset({ data: manifest });
  const { samples, usable, classes, problems, warnings } = await checkDataset(dataset);
  const [first] = [...problems, ...warnings];
  if (first) throw new UserError(`The embedded benchmark has a problem: ${first.file}: ${first.message}`);
  process.stderr.write(`check: ${usable} of ${samples} images can be used, ${classes.length} classes, no problem\n`);
  return dataset;
}

/** A head for each scenario on the frozen features of one network, tested on images it never saw. */
async function trainInScenario(
  config: Config,
  { models, twins }: Benchmark,
  { folder, ...beside }: { readonly folder: string } & Parameters<typeof trainConfig>[2],
) {
  const backbone = twins[0].biased;
  const { summary } = await trainConfig(
    {
      ...config,
      models: models.filter((file) => basename(file, '.onnx') === backbone),
      folds: 4,
      out: join(folder, 'heads'),
    },
    { on: [], offline: true, salient: undefined },
    beside,
  );
  const { report } = await (await import('../../report/index.ts')).writeReport(summary.run);
  const { scenarios, folds, seconds } = summary;
  return { run: summary.run, backbone, folds, scenarios, seconds, report };
}

function headsText({ backbone, scenarios }: Awaited<ReturnType<typeof trainInScenario>>): string {
  const sorted = [...scenarios].sort((a, b) => a.accuracy - b.accuracy);
  const [worst, best] = [sorted[0], sorted[sorted.length - 1]];
  const said = ({ trained, accuracy }: (typeof sorted)[number]) => `${percentOf(accuracy)} in ${trained}`;
  return `Trained in the scenario: a head on ${backbone}'s frozen features, trained and tested in the same scenario, is right on ${said(worst)} at worst and ${said(best)} at best.`;
}

/** Of each class one picture, in its usual environment and elsewhere by turns. */
const shownIn = (images: readonly BenchmarkImage[]): BenchmarkImage[] =>
  [...new Set(images.map(({ label }) => label))].flatMap((label, i) =>
    images.filter((image) => image.label === label && image.usual === (i % 2 === 0)).slice(0, 1),
  );

const sampleOf = (dataset: Dataset, id: string) => {
  const found = dataset.samples.find((sample) => sample.id === id);
  if (!found) throw new Error(`The embedded benchmark has no ${id}`);
  return found;
};
