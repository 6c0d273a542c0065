import type { Config } from '../contracts/config.ts';
import { tellingSamples } from '../metrics/pictures/telling-samples.ts';
import type { SessionFile } from '../models/define.ts';
import { assumeClassOrder } from '../models/labels.ts';
import { unlessAborted } from '../net/unless-aborted.ts';
import { earlierRecord, inOwnFolder, readRunRecord } from '../run/folder/index.ts';
import { type Inputs, openInputs, threadsFrom } from '../run/inputs.ts';
import { renderPictures } from '../run/pictures.ts';
import { openEarly, openSessionEarly } from '../run/pool.ts';
import { predictJob } from '../run/predict-job.ts';
import { executeRun, type RunOptions, type RunSummary } from '../run/run.ts';
import { runScenarios } from '../run/run-scenarios.ts';
import { copiesFor, shareCores } from '../run/share-cores.ts';
import { keepThreadsWhile, startThreads } from '../run/threads.ts';
import { version } from '../run/version.ts';

export interface RunConfigOptions
  extends Pick<
    RunOptions,
    'out' | 'offline' | 'signal' | 'onPlan' | 'onProgress' | 'onPainted' | 'share' | 'answerElsewhere' | 'onWait'
  > {
  /** All rows are stored; the report's pictures are drawn meanwhile. Not called where another process may have the folder. */
  readonly onAnswered?: (run: string, summary: RunSummary) => void;
  /** No pictures are drawn for it. */
  readonly withoutReport?: boolean;
}

/** Runs what the settings say, with the controls that the verdict needs, and draws the pictures of the report. */
export const executeConfig = (config: Config, options: RunConfigOptions): Promise<RunSummary> =>
  keepThreadsWhile(() => executeInThreads(config, options));

async function executeInThreads(config: Config, options: RunConfigOptions): Promise<RunSummary> {
  // Where all was done before there is most likely nothing to do.
  const finished = Boolean((await earlierRecord(options.out))?.finished);
  const needsThreads = !options.answerElsewhere && !finished;
  const threads = threadsFrom(config.threads);
  const onDataset = () => {
    if (needsThreads) startThreads(predictJob.name, threads);
  };
  let bytes = 0;
  const onSession = (session: SessionFile) => {
    bytes += session.bytes;
    if (needsThreads && copiesFor(bytes) >= threads) openSessionEarly(predictJob, session.path);
  };
  // Models may be fetched and endpoints greeted here, and nothing is begun yet that an interrupt would have to end well.
  const opening = openInputs(config, { version: version(), offline: options.offline, onDataset, onSession });
  const opened = await unlessAborted(opening, options.signal);
  const { shown, all } = runScenarios(opened, config);
  const inputs = { ...opened, scenarios: all };
  if (needsThreads) openModelsInThreads(inputs);
  const summary = await executeRun({ ...inputs, ...options, offline: inputs.offline });
  if (!summary.interrupted && !options.withoutReport) {
    const scenarios = shown.map(({ name }) => name);
    const telling = await tellingSamples(summary.run, { samples: inputs.samples, scenarios });
    const record = await readRunRecord(summary.run);
    if (!options.answerElsewhere) options.onAnswered?.(summary.run, summary);
    const draw = () => renderPictures({ ...inputs, run: summary.run, scenarios, telling, record });
    // One who stood by may have the folder meanwhile.
    await (options.answerElsewhere ? inOwnFolder(summary.run, draw, { wait: options }) : draw());
  }
  return summary;
}

/** While photographs are hashed and answers counted, the threads open the models. */
function openModelsInThreads(inputs: Inputs): void {
  const { workers, threadsPerModel } = shareCores(inputs);
  const models = inputs.models.map(({ spec, description }) => ({
    spec,
    description: assumeClassOrder(description, inputs.dataset.classes),
  }));
  openEarly(predictJob, workers, { models, threadsPerModel, batch: inputs.batch, offline: inputs.offline });
}
