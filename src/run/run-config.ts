import type { Config } from '../contracts/config.ts';
import { openInputs } from './inputs.ts';
import { renderPictures } from './pictures.ts';
import { executeRun, type RunOptions, type RunSummary } from './run.ts';
import { runScenarios } from './run-scenarios.ts';
import { version } from './version.ts';

export interface RunConfigOptions
  extends Pick<
    RunOptions,
    'out' | 'offline' | 'signal' | 'onPlan' | 'onProgress' | 'onPainted' | 'share' | 'answerElsewhere'
  > {}

/** Runs what the settings say, with the controls that the verdict needs, and draws the pictures of the report. */
export async function executeConfig(config: Config, options: RunConfigOptions): Promise<RunSummary> {
  const opened = await openInputs(config, { version: version(), offline: options.offline });
  const { shown, all } = runScenarios(opened, config);
  const inputs = { ...opened, scenarios: all };
  const summary = await executeRun({ ...inputs, ...options, offline: inputs.offline });
  if (!summary.interrupted)
    await renderPictures({ ...inputs, run: summary.run, scenarios: shown.map(({ name }) => name) });
  return summary;
}
