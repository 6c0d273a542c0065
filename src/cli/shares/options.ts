import type { Config } from '../../contracts/config.ts';
import { expected } from '../../contracts/errors.ts';
import type { Share, SharedCommand } from '../../contracts/queue.ts';
import { terminalText } from '../../formats/escape.ts';
import { unlessAborted } from '../../net/unless-aborted.ts';
import type { PartOptions } from '../../run/part.ts';
import { stagedAt } from '../../storage/in-staged-folder.ts';
import { resolvePlace } from '../../storage/s3-url.ts';
import { addressOf } from '../../storage/shown.ts';
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
  return { elsewhere: (places) => handOut(places, { ...shared, url, root: resolvePlace(root) }) };
}

async function handOut(places: readonly number[], { url, root, ...given }: Shared & { url: string; root: string }) {
  // What is worked on in a copy here has an address that all machines know.
  const staged = stagedAt(given.out);
  const shared = { ...given, out: addressOf(given.out), choices: withAddressesOf(given) };
  const { connectQueue, withoutPassword } = await import('../../run/queue/connection.ts');
  const { makeAssignment } = await import('../../run/queue/assignment.ts');
  const { sharingHashes } = await import('../../run/queue/shared-hashes.ts');
  const { shareByQueue } = await import('../../run/queue/share-by-queue.ts');
  const assignment = makeAssignment(shared.config, { ...shared, root, version: version() });
  const redis = await unlessAborted(connectQueue(url), shared.signal);
  const say = (line: string) => process.stderr.write(terminalText(`${line}\n`));
  say(`Work goes to ${withoutPassword(url)}; start workers with: sceneshift worker --queue URL --root DIR`);
  const progress = createProgress({ title: shared.command, noun: 'shares', total: 0 });
  const { out, signal } = shared;
  try {
    const onTrouble = (line: string) => say(`! ${line}`);
    const place = { redis, assignment, out, signal, onTrouble, pollMs: staged && 2000 };
    await sharingHashes(assignment, out, () => shareByQueue(places, { ...place, onProgress: progress.update }));
    // What the workers have put there.
    await staged?.pull();
  } finally {
    progress.finish();
    redis.disconnect();
  }
}

const withAddressesOf = ({ choices, paths = [] }: Pick<Shared, 'choices' | 'paths'>) =>
  Object.fromEntries(
    Object.entries(choices).map(([name, value]) => [
      name,
      typeof value === 'string' && paths.includes(name) ? addressOf(value) : value,
    ]),
  );
