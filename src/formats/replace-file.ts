import { readFileSync } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

let written = 0;

/**
 * Writes a file so that readers see the whole old one or the whole new one: it is written beside its place and renamed.
 * A pipe or a device is written to, never replaced; a link is followed and its target replaced.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array | string,
  { durable = false }: { readonly durable?: boolean } = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) return writeFile(path, bytes);
  const target = found ? await realpath(path) : path;
  await sweepBeside(target);
  const partial = `${target}.${hostname()}-${process.pid}-${written++}.partial`;
  try {
    const file = await open(partial, 'w');
    try {
      await file.writeFile(bytes);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** What killed processes of this machine left of the same file. */
async function sweepBeside(path: string): Promise<void> {
  const begin = `${basename(path)}.${hostname()}-`;
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names) {
    const [, pid] = name.startsWith(begin) ? (/^(\d+)-\d+\.partial$/.exec(name.slice(begin.length)) ?? []) : [];
    if (pid && !isAlive(Number(pid))) await rm(join(dirname(path), name), { force: true });
  }
}

/**
 * Whether a process of this machine is running, whoever owns it. A zombie (ended, but not yet collected by its parent)
 * is not.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** In a container whose first process does not collect orphans, an ended one keeps its number (proc(5), state Z). */
function hasEnded(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return /^[ZX]/.test(status.slice(status.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
