import type { Config } from '../contracts/config.ts';
import { UserError } from '../contracts/errors.ts';
import { terminalText } from '../formats/escape.ts';
import { openInputs } from '../run/inputs.ts';
import { renderPictures } from '../run/pictures.ts';
import { executeRun, type RunOutline, type RunSummary } from '../run/run.ts';
import { withPasteBack } from '../scenarios/with-controls.ts';
import { onInterrupt } from './interrupt.ts';
import { paintingProgress } from './painting.ts';
import { printErrors } from './ui/errors.ts';
import { createProgress, formatSeconds } from './ui/progress.ts';
import { version } from './version.ts';

/** Runs what the settings say, with its plan, progress and errors on standard error. Ctrl+C ends it with status 130. */
export async function runConfig(
  config: Config,
  { out, offline = false }: { out: string; offline?: boolean },
): Promise<RunSummary> {
  const interrupt = onInterrupt('Ending with the batch in hand; the same command goes on from there');
  const progress = createProgress({ title: 'run', unit: 'answers', total: 0 });
  const summary = await execute(config, out, offline, interrupt.signal, progress.update).finally(interrupt.done);
  progress.finish(
    `${summary.computed} answers in ${formatSeconds(summary.seconds)}, ${summary.rows} rows in ${summary.run}`,
  );
  printErrors(summary.errors);
  if (summary.interrupted) throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
  return summary;
}

async function execute(
  config: Config,
  out: string,
  offline: boolean,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
) {
  const opened = await openInputs(config, { version: version(), offline });
  const inputs = { ...opened, scenarios: withPasteBack(opened.scenarios) };
  const onPainted = paintingProgress();
  const summary = await executeRun({ ...inputs, out, signal, onPlan: tell, onProgress, onPainted });
  if (!summary.interrupted)
    await renderPictures({ ...inputs, run: summary.run, scenarios: inputs.scenarios.map(({ name }) => name) });
  return summary;
}

function tell(outline: RunOutline): void {
  const { samples, scenarios, models, answers, found, variants, warnings, outdated, outdatedBecause } = outline;
  const say = (line: string) => process.stderr.write(`${terminalText(line)}\n`);
  for (const warning of warnings) say(`! ${warning}`);
  if (outdated)
    say(
      `! ${count(outdated, 'stored row')} made with other settings or pictures${outdatedBecause.length ? ` (${outdatedBecause.join(', ')})` : ''} will be replaced; another --out keeps them`,
    );
  const left = found ? `${found} of ${answers} answers found, ${answers - found} to do` : `${answers} answers to come`;
  say(
    `${count(samples, 'sample')} × ${count(scenarios, 'scenario')} × ${count(models, 'model')}: ${left}${variants ? `, from ${count(variants, 'variant')}` : ''}`,
  );
}

const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
