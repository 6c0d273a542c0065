import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { expected, UserError } from '../../contracts/errors.ts';
import { watchingParent } from '../../formats/in-hand.ts';
import { isAlive } from '../../formats/replace-file.ts';
import { isS3 } from '../../storage/s3-url.ts';
import { sweepPartial } from '../atomic.ts';

const ownerSchema = z.object({
  token: z.string(),
  pid: z.number(),
  /** The process that watches over the owner (`src/cli/supervise.ts`); the owner ends when it ends. */
  parent: z.number().optional(),
  host: z.string(),
  since: z.string(),
});
type Owner = z.infer<typeof ownerSchema>;

export interface FolderLock {
  /** Throws where the folder was deleted, moved, or taken over. Asked before anything is written. */
  check(): Promise<void>;
  release(): Promise<void>;
}

const lockFile = '.lock';
const beatSeconds = 20;
/** An owner that has not touched its lock for this long counts as gone, wherever it ran. */
const goneSeconds = 120;
const waitMs = 500;

export interface LockOptions {
  /** Wait while another process has the folder, instead of giving up. */
  readonly wait?: { readonly signal?: AbortSignal; readonly onWait?: (holder: string) => void };
}

/** One process at a time writes into a folder. The lock of one that is gone, by a kill or a power cut, is taken over. */
export async function lockFolder(folder: string, { wait }: LockOptions = {}): Promise<FolderLock> {
  if (isS3(folder)) throw expected('a folder on this disk', 'what is written', folder, 'give it as --out');
  await mkdir(folder, { recursive: true });
  const path = join(folder, lockFile);
  const owner: Owner = {
    token: randomUUID(),
    pid: process.pid,
    parent: watchingParent(),
    host: hostname(),
    since: new Date().toISOString(),
  };
  let toldOf: string | undefined;
  while (!(await create(path, owner))) {
    const held = await readOwner(path);
    if (held && !(await isGone(path, held)) && !(await isDying(path, held))) {
      if (wait && !wait.signal?.aborted) {
        if (toldOf !== held.token) wait.onWait?.(`process ${held.pid} on ${held.host}, since ${held.since}`);
        toldOf = held.token;
        await setTimeout(waitMs, undefined, { signal: wait.signal }).catch(() => undefined);
        continue;
      }
      throw new UserError(
        `${folder} is being written to by process ${held.pid} on ${held.host}, since ${held.since}; wait for it, or choose another --out`,
        { exitCode: 1 },
      );
    }
    await takeAway(path, held, `${path}-${owner.token}`);
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, 1000 * beatSeconds);
  beat.unref();
  return {
    async check() {
      const held = await readOwner(path);
      if (held?.token === owner.token) return;
      throw new UserError(
        held
          ? `${folder} was taken over by process ${held.pid} on ${held.host}; this one stops`
          : `${folder} was deleted or moved while it was written to; what it held is lost, so this run stops`,
        { exitCode: 1 },
      );
    },
    async release() {
      clearInterval(beat);
      const held = await readOwner(path);
      // Where it cannot be taken away, the next takes it over; what went wrong before is the news.
      if (held?.token === owner.token) await unlink(path).catch(() => undefined);
    },
  };
}

/**
 * Does the work while no other process writes into the folder. What killed processes left half made is removed first.
 * Where the folder was deleted or taken over meanwhile, that is the error thrown, whether the work itself failed or
 * not.
 */
export async function inOwnFolder<T>(
  folder: string,
  work: (lock: FolderLock) => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const lock = await lockFolder(folder, options);
  try {
    await sweep(folder);
    const result = await work(lock);
    await lock.check();
    await sweepPartial(folder);
    return result;
  } catch (error) {
    await lock.check();
    throw error;
  } finally {
    await lock.release();
  }
}

async function sweep(folder: string): Promise<void> {
  await sweepPartial(folder);
  const names = await readdir(folder);
  for (const name of names) if (name.startsWith(`${lockFile}-`)) await rm(join(folder, name), { force: true });
}

/** Whether a process, here or elsewhere, is writing into the folder now. */
export async function isBeingWritten(folder: string): Promise<boolean> {
  const path = join(folder, lockFile);
  const held = await readOwner(path);
  return held !== undefined && !(await isGone(path, held));
}

/**
 * False where there is a lock already. Written first and then given its name, so that nobody sees a lock without an
 * owner.
 */
async function create(path: string, owner: Owner): Promise<boolean> {
  const whole = `${path}-${owner.token}`;
  try {
    await writeFile(whole, JSON.stringify(owner));
    // Some file systems have no second names.
    const named = link(whole, path).catch((error: NodeJS.ErrnoException) =>
      error.code === 'EEXIST' ? Promise.reject(error) : copyFile(whole, path, constants.COPYFILE_EXCL),
    );
    return await named.then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        // The lock exists, or its owner has removed our temporary file as a leftover of a killed process.
        if (error.code === 'EEXIST' || error.code === 'ENOENT') return false;
        throw error;
      },
    );
  } finally {
    await rm(whole, { force: true });
  }
}

/**
 * Where several processes find a lock abandoned, only one takes it away; a lock that another has put there meanwhile
 * stays.
 */
async function takeAway(path: string, held: Owner | undefined, aside: string): Promise<void> {
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if ((await readOwner(aside))?.token !== held?.token) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/** Undefined: not there, or not yet, or no longer, readable. */
async function readOwner(path: string): Promise<Owner | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  try {
    return text === undefined ? undefined : ownerSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** After the watching process was killed, the owner ends by itself as soon as it notices: that is waited for. */
async function isDying(path: string, owner: Owner): Promise<boolean> {
  if (owner.parent === undefined || owner.host !== hostname() || isAlive(owner.parent)) return false;
  for (let tries = 0; tries < 200; tries++) {
    if (await isGone(path, owner)) return true;
    await setTimeout(50);
  }
  return false;
}

async function isGone(path: string, { pid, host }: Owner): Promise<boolean> {
  const touched = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (Date.now() - touched > 1000 * goneSeconds) return true;
  if (host !== hostname()) return false;
  return !isAlive(pid);
}
