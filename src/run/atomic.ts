import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** Files in the making live here, below the output folder, so that what a kill leaves behind is found and swept away. */
const partialFolder = '.partial';
/** Several machines may write into one folder, and in containers every process may have the same number. */
const writer = randomUUID().slice(0, 8);
let written = 0;

interface WriteOptions {
  /** Must survive a power cut: answers and records. Pictures need not, they are made again. */
  readonly durable?: boolean;
}

/** Writes a file so that it is either whole or not there. */
export async function writeAtomic(
  out: string,
  path: string,
  bytes: Uint8Array | string,
  { durable = false }: WriteOptions = {},
): Promise<void> {
  const partial = partialPath(out);
  await mkdir(dirname(partial), { recursive: true });
  const file = await open(partial, 'w');
  try {
    await file.writeFile(bytes);
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
  const target = join(out, path);
  await mkdir(dirname(target), { recursive: true });
  await rename(partial, target);
  if (durable) await syncFolder(dirname(target));
}

const partialPath = (out: string) => join(out, partialFolder, `${process.pid}-${writer}-${threadId}-${written++}`);

/**
 * The same for a thread that encodes pictures: it waits for the disk itself, since a step through Node's pool of threads
 * would wait for the encoders that work there.
 */
export function writePicture(out: string, path: string, bytes: Uint8Array): void {
  const [partial, target] = [partialPath(out), join(out, path)];
  inFolderOf(partial, () => writeFileSync(partial, bytes));
  inFolderOf(target, () => renameSync(partial, target));
}

function inFolderOf(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    act();
  }
}

/** Brings a file that another program wrote to the disk, then to its name. */
export async function renameDurably(from: string, to: string): Promise<void> {
  const file = await open(from, 'r+');
  await file.sync().finally(() => file.close());
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** A rename is on the disk when its folder is; Windows has no such step and refuses to open folders. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

export const sweepPartial = (out: string): Promise<void> =>
  rm(join(out, partialFolder), { recursive: true, force: true });
