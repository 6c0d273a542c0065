import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../contracts/errors.ts';
import { serverNow } from './client.ts';
import { listObjects, putObject, putOnce, readObject, removeObjects } from './objects.ts';
import { below, type S3Place, s3Url } from './s3-url.ts';

interface Owner {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

export interface RemoteLock {
  /** Throws where another process has taken over; asked before anything is overwritten. */
  check(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions {
  /** Wait while another process holds the lock, instead of giving up. */
  readonly wait?: { readonly signal?: AbortSignal; readonly onWait?: (holder: string) => void };
}

const beatSeconds = 20;
/** An owner that has not renewed its lock for this long counts as gone, wherever it ran. */
const goneSeconds = 120;

/**
 * One writer at a time in a run on the storage, as `src/run/folder/lock.ts` has it on a disk. Locks are numbered:
 * whoever comes next writes the next number, and a conditional put lets only one process do so. Shards need no lock:
 * their names tell what is in them, and each is written once.
 */
export async function lockRemote(run: S3Place, { wait: waits }: LockOptions = {}): Promise<RemoteLock> {
  const owner: Owner = { token: randomUUID(), pid: process.pid, host: hostname(), since: new Date().toISOString() };
  const bytes = Buffer.from(JSON.stringify(owner));
  const home = below(run, '.lock');
  let told = '';
  for (;;) {
    const last = await lastLock(home);
    if (last && !isGone(last)) {
      const holder = `process ${last.owner?.pid} on ${last.owner?.host}`;
      if (!waits || waits.signal?.aborted)
        throw new UserError(
          `${s3Url(run)} is being written to by ${holder}, since ${last.owner?.since}; wait for it, or choose another --out`,
          { exitCode: 1 },
        );
      if (told !== holder) waits.onWait?.(holder);
      told = holder;
      await wait(2000, undefined, { signal: waits.signal }).catch(() => undefined);
      continue;
    }
    const number = (last?.number ?? 0) + 1;
    const mine = below(home, String(number).padStart(8, '0'));
    await putOnce(mine, bytes);
    // Only what is there now tells who has it: the answer to a put that was written may be lost, and where the server cannot
    // put on condition, the last of two wins.
    if ((await lastLock(home))?.owner?.token !== owner.token) continue;
    await removeObjects(
      (await listObjects(home)).filter(({ key }) => key < mine.key).map(({ key }) => ({ ...mine, key })),
    );
    const beat = setInterval(() => void putObject(mine, bytes).catch(() => undefined), 1000 * beatSeconds);
    beat.unref();
    return {
      async check() {
        const held = await lastLock(home);
        if (held?.owner?.token === owner.token) return;
        throw new UserError(
          held
            ? `${s3Url(run)} was taken over by process ${held.owner?.pid} on ${held.owner?.host}; this one stops`
            : `${s3Url(run)} was deleted while it was written to; this run stops`,
          { exitCode: 1 },
        );
      },
      async release() {
        clearInterval(beat);
        // Where it cannot be taken away, it is gone by its age; what went wrong before is the news.
        await removeObjects([mine]).catch(() => undefined);
      },
    };
  }
}

interface HeldLock {
  readonly number: number;
  readonly owner?: Owner;
  readonly ageSeconds: number;
}

async function lastLock(home: S3Place): Promise<HeldLock | undefined> {
  const last = (await listObjects(home)).sort((a, b) => (a.key < b.key ? -1 : 1)).at(-1);
  if (!last) return undefined;
  const read = await readObject({ ...home, key: last.key });
  return {
    number: Number(last.key.split('/').at(-1)),
    owner: read && (JSON.parse(read.bytes.toString()) as Owner),
    ageSeconds: (serverNow() - (read?.modified ?? last.modified ?? new Date(0)).getTime()) / 1000,
  };
}

const isGone = ({ owner, ageSeconds }: HeldLock): boolean =>
  !owner || ageSeconds > goneSeconds || (owner.host === hostname() && !isAlive(owner.pid));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
