import type { Config } from '../contracts/config.ts';
import { UserError } from '../contracts/errors.ts';
import type { Share } from '../contracts/queue.ts';
import { terminalText } from '../formats/escape.ts';
import { executeConfig, type RunConfigOptions } from '../library/execute-config.ts';
import { unlessAborted } from '../net/unless-aborted.ts';
import type { RunOptions, RunOutline, RunSummary } from '../run/run.ts';
import { withAddresses } from '../storage/shown.ts';
import type { StagedFolder } from '../storage/staged-folder.ts';
import { onInterrupt } from './interrupt.ts';
import { paintingProgress } from './painting.ts';
import { printErrors } from './ui/errors.ts';
import { createProgress, formatSeconds } from './ui/progress.ts';
import { version } from './version.ts';

/** Where a run goes and who carries it out. */
export interface RunPlace {
  readonly out: string;
  readonly offline?: boolean;
  readonly share?: Share;
  readonly queue?: {
    readonly url: string;
    readonly root: string;
    readonly answersPerChunk?: number;
    readonly modelsAtOnce?: number;
  };
  /** `out` is the copy of this folder on object storage. */
  readonly staged?: StagedFolder;
  /** As `executeConfig` has it. */
  readonly onAnswered?: (run: string) => void;
  readonly withoutReport?: boolean;
}

/** Runs what the settings say, with its plan, progress and errors on standard error. Ctrl+C ends it with status 130. */
export async function runConfig(config: Config, { offline = false, ...given }: RunPlace): Promise<RunSummary> {
  const interrupt = onInterrupt('Ending with the batch in hand; the same command goes on from there');
  const progress = createProgress({ title: 'run', noun: 'answers', total: 0 });
  let isTold = false;
  const tellOnce = (summary: RunSummary) => {
    if (isTold) return;
    isTold = true;
    const { computed, seconds, rows, run } = summary;
    progress.finish(withAddresses(`${computed} answers in ${formatSeconds(seconds)}, ${rows} rows in ${run}`));
    printErrors(summary.errors);
    tellDoubtfulMasks(summary);
  };
  // What is begun beside the pictures has lines of its own to write.
  const onAnswered = (run: string, summary: RunSummary) => {
    tellOnce(summary);
    given.onAnswered?.(run);
  };
  const place = { ...given, offline, onAnswered };
  const summary = await execute(config, place, interrupt.signal, progress.update).finally(interrupt.done);
  tellOnce(summary);
  if (summary.interrupted) throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
  return summary;
}

async function execute(
  config: Config,
  {
    out,
    offline,
    share,
    queue,
    staged,
    onAnswered,
    withoutReport,
  }: Omit<RunPlace, 'onAnswered'> & Pick<RunConfigOptions, 'onAnswered'>,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
) {
  const handed = queue && (await unlessAborted(byQueue(config, { ...queue, out, signal, staged }), signal));
  const onPainted = paintingProgress();
  const onWait = (holder: string) =>
    process.stderr.write(terminalText(`${out} is being filled by ${holder}; waiting until it is through\n`));
  const shown = { onPlan: tell, onProgress, onPainted, onWait };
  const work = { out, offline, signal, share, answerElsewhere: handed?.answer, onAnswered, withoutReport };
  // Also where nothing was missing, and nobody asked.
  return executeConfig(config, { ...work, ...shown }).finally(handed?.close);
}

function tellDoubtfulMasks({ doubtfulMasks: found }: RunSummary): void {
  if (!found?.masks) return;
  const [{ sample, doubts }] = found.worst;
  const line = `! ${found.masks} of ${found.looked} masks are doubtful, the worst ${sample} (${doubts[0]}); sceneshift dataset check --sheet FILE.html shows them`;
  process.stderr.write(`${terminalText(line)}\n`);
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

type QueuedRun = NonNullable<RunPlace['queue']> & Pick<RunPlace, 'out' | 'staged'> & { readonly signal: AbortSignal };

/** Hands the work to whoever takes it from the queue. */
async function byQueue(
  config: Config,
  { url, root, answersPerChunk, modelsAtOnce, out: local, staged, signal }: QueuedRun,
): Promise<{ answer: NonNullable<RunOptions['answerElsewhere']>; close(): void }> {
  const { connectQueue, withoutPassword } = await import('../run/queue/connection.ts');
  const { makeAssignment, planHash } = await import('../run/queue/assignment.ts');
  const { answerByQueue } = await import('../run/queue/answer-by-queue.ts');
  const { sharingHashes } = await import('../run/queue/shared-hashes.ts');
  const redis = await connectQueue(url);
  process.stderr.write(
    `Work goes to ${withoutPassword(url)}; start workers with: sceneshift worker --queue URL --root DIR\n`,
  );
  return {
    async answer(plan, missing, onProgress) {
      const out = staged?.url ?? local;
      const details = { command: 'run', planHash: planHash(plan), root, out, version: version() } as const;
      const onTrouble = (line: string) => process.stderr.write(terminalText(`! ${line}\n`));
      const assignment = makeAssignment(config, details);
      const pollMs = staged ? 2000 : undefined;
      const place = { redis, assignment, out, signal, onTrouble, pollMs };
      const { maxErrors } = config;
      const { errors } = await sharingHashes(assignment, out, () =>
        answerByQueue(plan, missing, { ...place, maxErrors, answersPerChunk, modelsAtOnce, onProgress }),
      );
      // What the workers have put there.
      await staged?.pull();
      return { errors, usage: {} };
    },
    close: () => redis.disconnect(),
  };
}
