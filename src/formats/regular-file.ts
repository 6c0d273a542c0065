import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
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
    handle = await (isStandIn(file) ? openContent(file) : openNow(file));
  } catch (cause) {
    if (cause instanceof SampleError || cause instanceof UserError) throw cause;
    throw openingError(file, cause);
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new SampleError('unreadable-file', `${file} is ${kindOf(stats)}, not a file`, { file });
    return { handle, bytes: stats.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const openNow = (file: string) => open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));

/** Opens the local copy of a file on object storage; fetched again where another process has just evicted it. */
async function openContent(file: string): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    try {
      return await openNow(await contentOf(file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 5) throw error;
    }
  }
}

/** All the bytes of a regular file. */
export async function readRegularFile(file: string, { most = mostBytes } = {}): Promise<Buffer> {
  const { handle, bytes } = await openRegularFile(file);
  try {
    if (bytes > most)
      throw new SampleError('unreadable-file', `${file} has ${bytes} bytes, more than the ${most} that are read`, {
        file,
      });
    return await handle.readFile();
  } catch (cause) {
    if (cause instanceof SampleError || cause instanceof UserError) throw cause;
    throw openingError(file, cause);
  } finally {
    await handle.close();
  }
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
