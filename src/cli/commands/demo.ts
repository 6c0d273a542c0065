import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../contracts/errors.ts';
import type { Dataset } from '../../contracts/sample.ts';
import { checkDataset } from '../../dataset/check/check.ts';
import { readDataset } from '../../dataset/index.ts';
import { encodeImage } from '../../image/encode.ts';
import { scoreRun } from '../../metrics/score-run.ts';
import { sweepPartial, writeAtomic } from '../../run/atomic.ts';
import { parseScenarioList } from '../../scenarios/name.ts';
import { defineCommand } from '../command.ts';
import { parseConfig } from '../config.ts';
import { readAnswers } from '../demo/answers.ts';
import { demoSamples, writeDemoDataset } from '../demo/dataset.ts';
import { drawSheet } from '../demo/sheet.ts';
import { judge, verdictText } from '../demo/verdict.ts';
import { photographOptions } from '../options.ts';
import { runConfig } from '../run-config.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';
import { scoreText } from '../ui/score.ts';
import { textWidth, wrap } from '../ui/wrap.ts';

const note =
  'A tiny generated set, drawn on the spot, stands in for the embedded benchmark to come; the two tiny models were trained on such drawings, one of them with a planted bias.';
const models = ['leans-on-scene', 'looks-at-object'];
const scenarios = ['ximagenet-12', 'size:0.05', 'no-fg', 'only-bg-t', 'paste-back'];
/** Seen from dist/, where the command line is built to. */
const modelFile = (name: string) => fileURLToPath(new URL(`../benchmark/tiny/${name}.onnx`, import.meta.url));

export const demo = defineCommand({
  name: 'demo',
  summary: 'The whole line on a tiny generated set, offline: draw, check, run, score, look.',
  options: {
    out: { type: 'string', value: 'DIR', describe: 'folder for the pictures and the run', default: 'demo' },
    threads: { type: 'number', describe: 'cores to use (default all)' },
  },
  examples: ['sceneshift demo', 'sceneshift demo --out /tmp/demo --json'],
  async run({ out, threads, json }) {
    const say = (line: string) => process.stderr.write(`${line}\n`);
    const folder = resolve(out);
    say(wrap(note, textWidth(process.stderr.columns)));
    const dataset = await makeDataset(join(folder, 'data'), say);
    const settings = {
      data: dataset.path,
      models: models.map(modelFile),
      scenarios,
      threads,
      out: join(folder, 'run'),
    };
    const config = parseConfig(settings, 'the demo');
    const summary = await runConfig(config, { out: settings.out, offline: true });
    const score = await scoreRun(summary.run);
    const answers = await readAnswers(summary.run);
    const sheet = join(folder, 'sheet.png');
    if (summary.computed || !existsSync(sheet)) {
      const picture = await drawSheet({
        samples: dataset.samples,
        // Two pictures of the first object of each class: where it is usually seen, and elsewhere.
        shown: demoSamples
          .filter(({ object }) => object === 0)
          .map(({ id, label, environment, usual }) => ({
            sample: sampleOf(dataset, id),
            title: [label, environment, usual ? 'usual' : 'other'],
          })),
        scenarios: parseScenarioList(scenarios),
        models,
        answers,
        seed: config.seed,
        photographs: photographOptions(config),
      });
      await writeAtomic(folder, 'sheet.png', await encodeImage(picture, { format: 'png' }));
      await sweepPartial(folder);
    }
    const { report } = await (await import('../../report/index.ts')).writeReport(summary.run);
    const verdict = judge(score, answers, demoSamples);
    const result = {
      note,
      data: dataset.path,
      run: summary.run,
      sheet,
      report,
      rows: summary.rows,
      computed: summary.computed,
      errors: summary.errors.length,
      seconds: summary.seconds,
      verdict,
      score,
    };
    print(json, result, () =>
      [
        scoreText(score),
        ...verdictText(verdict)
          .split('\n\n')
          .map((paragraph) => wrap(paragraph, textWidth())),
        [
          `Look: ${shown(sheet)}`,
          `The run: ${shown(summary.run)}`,
          `Your own: npx sceneshift run --data PHOTOS --model MODEL.onnx --scenarios ximagenet-12 --out runs/first`,
          `Report: ${shown(report)}`,
        ].join('\n'),
      ].join('\n\n'),
    );
  },
});

async function makeDataset(folder: string, say: (line: string) => void): Promise<Dataset> {
  const drawing = createProgress({ title: 'draw', unit: 'pictures', total: demoSamples.length });
  const manifest = await writeDemoDataset(folder, drawing.update);
  drawing.finish(`${demoSamples.length} pictures in ${shown(folder)}`);
  const dataset = await readDataset(manifest);
  const { samples, usable, classes, problems, warnings } = await checkDataset(dataset);
  const [first] = [...problems, ...warnings];
  if (first) throw new UserError(`The drawn set has a problem: ${first.file}: ${first.message}`, { exitCode: 1 });
  say(`check: ${usable} of ${samples} samples can be used, ${classes.length} classes, no problem`);
  return dataset;
}

const sampleOf = (dataset: Dataset, id: string) => {
  const found = dataset.samples.find((sample) => sample.id === id);
  if (!found) throw new Error(`The drawn set has no ${id}`);
  return found;
};

/** Relative where that is shorter. */
const shown = (path: string) => {
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
};
