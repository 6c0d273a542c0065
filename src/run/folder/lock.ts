import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';

const ownerSchema = z.object({ token: z.string(), pid: z.number(), host: z.string(), since: z.string() });
type Owner = z.infer<typeof ownerSchema>;

export interface FolderLock {
  /** Throws where the folder was deleted, moved, or taken over. Asked before anything is written. */
  check(): Promise<void>;
  release(): Promise<void>;
}

const lockFile = '.lock';
const beatSeconds = 20;
/** An owner that has not touched its lock for so long is gone, wherever it ran. */
const goneSeconds = 120;

/** One process at a time writes into a folder. The lock of one that is gone, by a kill or a power cut, is taken over. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, lockFile);
  const owner: Owner = { token: randomUUID(), pid: process.pid, host: hostname(), since: new Date().toISOString() };
  while (!(await create(path, owner))) {
    const held = await readOwner(path);
    if (held && !(await isGone(path, held)))
      throw new UserError(
        `${folder} is being written to by process ${held.pid} on ${held.host}, since ${held.since}; wait for it, or choose another --out`,
        { exitCode: 1 },
      );
    // Of several that find it abandoned one alone succeeds in taking it away.
    const abandoned = `${path}-${owner.token}`;
    await rename(path, abandoned).then(
      () => rm(abandoned, { force: true }),
      () => undefined,
    );
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
      if (held?.token === owner.token) await rm(path, { force: true });
    },
  };
}

/** Whether a process, here or elsewhere, is writing into the folder now. */
export async function isBeingWritten(folder: string): Promise<boolean> {
  const path = join(folder, lockFile);
  const held = await readOwner(path);
  return held !== undefined && !(await isGone(path, held));
}

async function create(path: string, owner: Owner): Promise<boolean> {
  const file = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return undefined;
    throw error;
  });
  if (!file) return false;
  await file.writeFile(JSON.stringify(owner)).finally(() => file.close());
  return true;
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

async function isGone(path: string, { pid, host }: Owner): Promise<boolean> {
  const touched = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (Date.now() - touched > 1000 * goneSeconds) return true;
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
