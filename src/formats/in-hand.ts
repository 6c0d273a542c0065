import { fstatSync, readSync, writeSync } from 'node:fs';
import { getEnvironmentData, isMainThread, setEnvironmentData, threadId } from 'node:worker_threads';
import { SampleError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';

/**
 * What this process works on right now, written where it outlives a crash inside a native library: the parent
 * (`src/cli/supervise.ts`) reads it, starts again, and has the suspects tried alone until the culprit is known.
 */
export interface InHand {
  /** `sample`: of a pool's task; `file`: being decoded, in any thread; `model`: being loaded and tried; `chunk`: taken from a queue. */
  readonly kind: 'sample' | 'file' | 'model' | 'chunk';
  /** Ids of samples, paths of files, names of models; a chunk's lane, name and the token by which it was taken. */
  readonly names: readonly string[];
}

/** What earlier tries of the same command have shown about its crashes. */
export interface CrashLessons {
  /** In hand when it crashed: each is tried alone, before anything else. */
  readonly suspects: readonly string[];
  /** What crashed alone, and how (`SIGSEGV`). */
  readonly culprits: Readonly<Record<string, string>>;
  /** Chunks that a worker held when it crashed: lane, name and token, one after the other. */
  readonly chunks?: readonly string[];
}

/**
 * Environment variable with the journal's descriptor; set by the parent, and deleted here so that child processes do
 * not get it.
 */
export const journalVariable = 'SCENESHIFT_JOURNAL';

/** The lessons stand at the journal's start, then a slot for each thing in hand; what is never written takes no space. */
const lessonBytes = 2 ** 22;
const slotBytes = 2 ** 16;
/** How many slots the main thread has, how many each worker thread has, and how many worker threads have some. */
const [mainSlots, threadSlots, mostThreads] = [512, 8, 512];
const allSlots = mainSlots + threadSlots * mostThreads;

const none: CrashLessons = { suspects: [], culprits: {} };
const environmentKey = 'sceneshift journal';
const journal = openJournal();
const firstSlot = isMainThread ? 0 : mainSlots + threadSlots * (threadId - 1);
const endSlot = Math.min(allSlots, firstSlot + (isMainThread ? mainSlots : threadSlots));
const free: number[] = [];
let next = firstSlot;

interface Journal {
  readonly fd: number;
  readonly lessons: CrashLessons;
}

/** The main thread gets the journal's descriptor from the parent process and hands it to its worker threads. */
function openJournal(): Journal | undefined {
  if (!isMainThread) return getEnvironmentData(environmentKey) as unknown as Journal | undefined;
  const fd = Number(process.env[journalVariable] ?? Number.NaN);
  delete process.env[journalVariable];
  if (!Number.isInteger(fd)) return undefined;
  try {
    const opened: Journal = { fd, lessons: JSON.parse(readPart(fd, 0, lessonBytes) ?? '') };
    setEnvironmentData(environmentKey, opened as never);
    return opened;
  } catch {
    return undefined;
  }
}

/** The process that watches over this one, if any; where it has ended, this process is about to end too. */
export const watchingParent = (): number | undefined => (journal && isMainThread ? process.ppid : undefined);

export const crashLessons = (): CrashLessons => journal?.lessons ?? none;

const nothing = () => undefined;

/** Notes what is begun; the function that comes back notes its end. Without a parent that watches, both do nothing. */
export function takeInHand(kind: InHand['kind'], names: () => readonly string[]): () => void {
  if (!journal) return nothing;
  const slot = free.pop() ?? (next < endSlot ? next++ : undefined);
  if (slot === undefined) return nothing;
  const { fd } = journal;
  const at = lessonBytes + slot * slotBytes;
  writeSync(fd, `${JSON.stringify({ kind, names: names() })}\n`.slice(0, slotBytes / 4), at, 'utf8');
  return () => {
    writeSync(fd, '\n', at, 'utf8');
    free.push(slot);
  };
}

/** A file that a native library decodes: refused where it crashed an earlier try, noted while it is worked on. */
export async function withFileInHand<T>(path: string, work: () => Promise<T>): Promise<T> {
  if (!journal) return work();
  const signal = crashLessons().culprits[path];
  if (signal) throw new SampleError('crashed', crashText(signal), { file: path });
  const release = takeInHand('file', () => [path]);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Whether a sample, its picture or its mask is among the names. */
export const isAmong = (names: ReadonlySet<string>, { id, image, mask }: Sample): boolean =>
  names.has(id) || names.has(image) || (mask?.kind === 'file' && names.has(mask.path));

export const crashText = (signal: string): string =>
  `it crashes a native library (${signal}), tried again alone in a process of its own; the file may be damaged on purpose`;

/** The parent's side: what was in hand when the process ended. */
export function readInHand(fd: number): InHand[] {
  const found: InHand[] = [];
  const end = fstatSync(fd).size;
  for (let at = lessonBytes; at < end; at += slotBytes) {
    const line = readPart(fd, at, slotBytes);
    if (!line) continue;
    try {
      found.push(JSON.parse(line));
    } catch {
      // A line that was too long for its slot is cut, cannot be parsed, and is passed over.
    }
  }
  return found;
}

export function writeLessons(fd: number, lessons: CrashLessons): void {
  writeSync(fd, `${JSON.stringify(lessons)}\n`, 0, 'utf8');
}

/** The line at a place; undefined where nothing was ever written. */
function readPart(fd: number, at: number, most: number): string | undefined {
  const bytes = Buffer.alloc(most);
  const text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, most, at));
  const end = text.indexOf('\n');
  return end < 0 || text[0] === '\0' ? undefined : text.slice(0, end);
}
