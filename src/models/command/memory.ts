import { existsSync, ftruncateSync, openSync, statfsSync, unlinkSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { threadId } from 'node:worker_threads';

/**
 * Pictures that a program takes out of memory instead of a pipe: a file without a name in the system's shared memory, open
 * as descriptor 3 in the program. Worker threads write their pictures into it themselves, so that neither the main thread
 * nor the pipe copies them; nothing is left behind, however either side ends.
 */
export interface SharedMemory {
  readonly fd: number;
  readonly slotBytes: number;
  /** One number per slot, shared between threads: 0 is free. */
  readonly taken: Int32Array;
}

const folder = '/dev/shm';
const mostBytes = 2 ** 30;
/** A thread has three tasks of some 32 pictures under way. */
const slotsPerCore = 128;
const fewestWanted = 1024;
const pageBytes = 4096;

/** Undefined where the system has no such place. */
export function openMemoryFile(): number | undefined {
  if (process.platform === 'win32' || !existsSync(folder)) return undefined;
  const path = `${folder}/sceneshift-${process.pid}-${Math.random().toString(36).slice(2)}`;
  try {
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return fd;
  } catch {
    return undefined;
  }
}

/** Slots of one picture each, as many as are useful and fit; undefined where too few do. */
export function layOutMemory(fd: number, pictureBytes: number): SharedMemory | undefined {
  const slotBytes = Math.ceil(pictureBytes / pageBytes) * pageBytes;
  try {
    const { bavail, bsize } = statfsSync(folder);
    const useful = Math.max(fewestWanted, slotsPerCore * availableParallelism());
    const slots = Math.min(useful, Math.floor(Math.min(mostBytes, (bavail * bsize) / 2) / slotBytes));
    if (slots < 16) return undefined;
    ftruncateSync(fd, slots * slotBytes);
    return { fd, slotBytes, taken: new Int32Array(new SharedArrayBuffer(slots * 4)) };
  } catch {
    return undefined;
  }
}

/** Where the bytes lie now; undefined: no slot is free, or the memory is full. */
export function leaveInMemory({ fd, slotBytes, taken }: SharedMemory, bytes: Uint8Array): number | undefined {
  // Threads begin at places of their own, so that they do not contend for the first.
  const home = threadId * slotsPerCore;
  for (let i = 0; i < taken.length; i++) {
    const slot = (home + i) % taken.length;
    if (Atomics.compareExchange(taken, slot, 0, 1) !== 0) continue;
    try {
      if (writeSync(fd, bytes, 0, bytes.length, slot * slotBytes) === bytes.length) return slot;
    } catch {
      // Others fill the same memory: the pipe still works.
    }
    Atomics.store(taken, slot, 0);
    return undefined;
  }
  return undefined;
}

export const freeSlot = ({ taken }: SharedMemory, slot: number): void => void Atomics.store(taken, slot, 0);
