import { closeSync, constants, fstatSync, open as openFile, read, readFileSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { SampleError, UserError } from '../contracts/errors.ts';
import { contentOf } from '../storage/content.ts';
import { isStandIn } from '../storage/mirror.ts';

/** Larger than any picture, mask or annotation; what is larger would end the process instead of one sample. */
const mostBytes = 2 ** 31 - 1;

/**
 * Opens a file and nothing else: a named pipe would wait for ever, a device never ends. Throws `SampleError`, which tells
 * what is not there from what may not be read.
 */
export async function openRegularFile(file: string): Promise<{ handle: FileHandle; bytes: number }> {
  let handle: FileHandle;
  try {
    // Without waiting, so that a pipe nobody writes to opens too, to be looked at and closed.
    handle = await (isStandIn(file) ? openContent(file, openNow) : openNow(file));
  } catch (cause) {
    if (cause instanceof SampleError || cause instanceof UserError) throw cause;
    throw openingError(file, cause);
  }
  try {
    const stats = await handle.stat();
    refuseOthers(file, stats);
    return { handle, bytes: stats.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function refuseOthers(file: string, stats: Stats): void {
  if (!stats.isFile()) throw new SampleError('unreadable-file', `${file} is ${kindOf(stats)}, not a file`, { file });
}

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const openNow = (file: string) => open(file, flags);
const descriptorOf = promisify(openFile) as (file: string, flags: number) => Promise<number>;
const openDescriptor = (file: string) => descriptorOf(file, flags);
const readInto = promisify(read);

/** Opens the local copy of a file on object storage; fetched again where another process has just evicted it. */
async function openContent<T>(file: string, openLocal: (file: string) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await openLocal(await contentOf(file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 5) throw error;
    }
  }
}

/** All the bytes of a regular file. */
export async function readRegularFile(file: string, { most = mostBytes } = {}): Promise<Buffer> {
  const found = await readUpTo(file, most);
  if (typeof found !== 'number') return found;
  const message = `${file} has ${found} bytes, more than the ${most} that are read`;
  throw new SampleError('unreadable-file', message, { file });
}

/**
 * All the bytes of a regular file, or how many it has where they are more than `most`. Only what may have to wait for a disk
 * goes through the pool of threads: every step there costs two changes of thread, more than the bytes themselves.
 */
export async function readUpTo(file: string, most: number): Promise<Buffer | number> {
  let descriptor: number | undefined;
  try {
    descriptor = await (isStandIn(file) ? openContent(file, openDescriptor) : openDescriptor(file));
    const stats = fstatSync(descriptor);
    refuseOthers(file, stats);
    return stats.size > most ? stats.size : await readAll(descriptor, stats.size);
  } catch (cause) {
    if (cause instanceof SampleError || cause instanceof UserError) throw cause;
    throw openingError(file, cause);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

async function readAll(descriptor: number, size: number): Promise<Buffer> {
  // Some systems' own files say that they are empty.
  if (!size) return readFileSync(descriptor);
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await readInto(descriptor, bytes, at, size - at, at);
    // Cut short meanwhile.
    if (!bytesRead) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be read (permission denied)',
  EPERM: 'may not be read (permission denied)',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'lies below a file, not a folder',
  ELOOP: 'is a link that leads in a circle',
  ENXIO: 'is a socket or a device, not a file',
  EIO: 'cannot be read from this disk (input/output error)',
  EMFILE: 'cannot be opened: too many files are open',
  ENAMETOOLONG: 'has a name too long for this system',
};

function openingError(file: string, cause: unknown): SampleError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new SampleError('missing-file', `${file} does not exist`, { file, cause });
  return new SampleError('unreadable-file', `${file} ${reasons[code] ?? `cannot be opened (${code || cause})`}`, {
    file,
    cause,
  });
}

const kindOf = (stats: Stats) =>
  stats.isDirectory()
    ? 'a folder'
    : stats.isFIFO()
      ? 'a named pipe'
      : stats.isSocket()
        ? 'a socket'
        : stats.isCharacterDevice() || stats.isBlockDevice()
          ? 'a device'
          : 'something else';
