import type { Config } from '../../contracts/config.ts';
import { expected, UserError } from '../../contracts/errors.ts';
import type { Share, SharedCommand } from '../../contracts/queue.ts';
import { terminalText } from '../../formats/escape.ts';
import { unlessAborted } from '../../net/unless-aborted.ts';
import type { PartOptions } from '../../run/part.ts';
import { isS3, resolvePlace } from '../../storage/s3-url.ts';
import type { Option } from '../command.ts';
import { createProgress } from '../ui/progress.ts';
import { version } from '../version.ts';

/** How work that is made of samples is divided among machines; the same for every command that has it. */
export const shareOptions = {
  shard: {
    type: 'string',
    value: 'I/N',
    describe: 'only share I of N, for machines without a queue; then sceneshift merge',
  },
  queue: { type: 'string', value: 'URL', describe: 'hand the work to sceneshift worker over redis://HOST[:PORT]' },
  root: { type: 'string', value: 'DIR', default: '.', describe: 'with --queue: the place that all machines see' },
} as const satisfies Record<string, Option>;

export interface ShareValues {
  readonly shard?: string;
  readonly queue?: string;
  readonly root: string;
}

/** `3/16`. */
export function readShare(text: string | undefined): Share | undefined {
  if (text === undefined) return undefined;
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (!(index >= 1 && index <= of && of <= 100_000)) throw expected('I/N, for instance 3/16', '--shard', text);
  return { index, of };
}

interface Shared {
  readonly command: SharedCommand;
  readonly config: Config;
  readonly choices: Record<string, unknown>;
  /** Of the choices, those that are files or folders. */
  readonly paths?: readonly string[];
  readonly out: string;
  readonly signal: AbortSignal;
}

/** What `--shard` and `--queue` make of a command's work. */
export function partFrom({ shard, queue: url, root }: ShareValues, shared: Shared): PartOptions {
  const share = readShare(shard);
  if (url === undefined) return { share };
  if (share) throw expected('--shard or --queue', 'who does the work', 'both');
  return { elsewhere: (samples) => handOut(samples, { ...shared, url, root: resolvePlace(root) }) };
}

async function handOut(samples: number, { url, root, ...shared }: Shared & { url: string; root: string }) {
  if (isS3(root))
    throw new UserError('Object storage is for sceneshift run --queue; here --root is a folder that all machines see');
  const { connectQueue, withoutPassword } = await import('../../run/queue/connection.ts');
  const { makeAssignment } = await import('../../run/queue/assignment.ts');
  const { shareByQueue } = await import('../../run/queue/share-by-queue.ts');
  const assignment = makeAssignment(shared.config, { ...shared, root, version: version() });
  const redis = await unlessAborted(connectQueue(url), shared.signal);
  const say = (line: string) => process.stderr.write(terminalText(`${line}\n`));
  say(`Work goes to ${withoutPassword(url)}; start workers with: sceneshift worker --queue URL --root DIR`);
  const progress = createProgress({ title: shared.command, noun: 'shares', total: 0 });
  const { out, signal } = shared;
  try {
    const onTrouble = (line: string) => say(`! ${line}`);
    await shareByQueue(samples, { url, redis, assignment, out, signal, onTrouble, onProgress: progress.update });
  } finally {
    progress.finish();
    redis.disconnect();
  }
}
