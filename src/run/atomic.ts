import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** Files in the making live here, below the output folder, so that what a kill leaves behind is found and swept away. */
const partialFolder = '.partial';
let written = 0;

/** Writes a file so that it is either whole or not there. */
export async function writeAtomic(out: string, path: string, bytes: Uint8Array | string): Promise<void> {
  const partial = join(out, partialFolder, `${process.pid}-${threadId}-${written++}`);
  await mkdir(dirname(partial), { recursive: true });
  await writeFile(partial, bytes);
  const target = join(out, path);
  await mkdir(dirname(target), { recursive: true });
  await rename(partial, target);
}

export const sweepPartial = (out: string): Promise<void> =>
  rm(join(out, partialFolder), { recursive: true, force: true });
