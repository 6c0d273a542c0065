import { SampleError, UserError } from '../../src/contracts/errors.ts';
import type { Random } from '../../src/contracts/random.ts';
import { randomFor } from '../../src/stats/random.ts';
import { createPeakMeter } from './peak-memory.ts';

/** One input: files by name, as text or bytes; the target decides what they are. */
export type FuzzInput = Readonly<Record<string, string | Uint8Array>>;

/** Gives the input to the program. May throw `UserError` or `SampleError`, which are answers; all else is a fault. */
export type Feed = (input: FuzzInput) => Promise<void>;

export interface FuzzTarget {
  readonly name: string;
  make(random: Random): FuzzInput;
  readonly feed?: Feed;
  /** Instead of `feed`, where something has to be started first. */
  readonly open?: () => Promise<Feed>;
  /** Seconds of this process's own computing that one input may cost; load on the machine does not count. */
  readonly mostCpuSeconds?: number;
  /** How much memory one input may take at its worst, beyond what was taken before it. */
  readonly mostMegabytes?: number;
}

export interface Fault {
  readonly seed: number | string;
  readonly reason: string;
  readonly input: FuzzInput;
}

export interface Tally {
  inputs: number;
  /** Answered with one line. */
  refused: number;
  /** The most that one input took. */
  cpuSeconds: number;
  megabytes: number;
  /** Resident memory at the end, beyond that at two fifths of the way. */
  growth: number;
}

export interface FuzzWork {
  readonly inputs: Iterable<{ readonly seed: number | string; readonly input: FuzzInput }>;
  readonly count: number;
  /** Called before each input with its place, so that whoever watches knows which one hung or crashed. */
  readonly onInput?: (place: number) => void;
  readonly onFault: (fault: Fault) => void;
}

/** The same seed makes the same input, whatever came before it. */
export const inputOf = (target: FuzzTarget, seed: number): FuzzInput =>
  target.make(randomFor('fuzz', target.name, seed));

/** Memory that stays with a process that has fed thousands of inputs: more than this is growth, not the allocator's habit. */
const mostGrowth = 64;
const enoughForGrowth = 1000;

export async function feedAll(target: FuzzTarget, { inputs, count, onInput, onFault }: FuzzWork): Promise<Tally> {
  const tally: Tally = { inputs: 0, refused: 0, cpuSeconds: 0, megabytes: 0, growth: 0 };
  const { mostCpuSeconds = 10, mostMegabytes = 1024 } = target;
  const feed = target.open ? await target.open() : (target.feed as Feed);
  const peak = createPeakMeter();
  let [settled, last]: [number, { seed: number | string; input: FuzzInput } | undefined] = [0, undefined];
  for (const one of inputs) {
    onInput?.(tally.inputs);
    if (tally.inputs === Math.floor(0.4 * count)) settled = residentAfterCollection();
    const cpu = process.cpuUsage();
    peak.reset();
    const refusedBefore = tally.refused;
    let reason = await complaint(feed, one.input, () => tally.refused++);
    if (tally.refused === refusedBefore && String(one.seed).startsWith('refused-')) reason = 'it was accepted';
    const { user, system } = process.cpuUsage(cpu);
    const [seconds, megabytes] = [(user + system) / 1e6, peak.megabytes()];
    if (seconds > mostCpuSeconds) reason ??= `it took ${seconds.toFixed(1)} s of computing`;
    if (megabytes > mostMegabytes) reason ??= `it took ${megabytes.toFixed(0)} MB`;
    if (reason) onFault({ ...one, reason });
    tally.inputs++;
    tally.cpuSeconds = Math.max(tally.cpuSeconds, seconds);
    tally.megabytes = Math.max(tally.megabytes, megabytes);
    last = one;
  }
  tally.growth = Math.max(0, residentAfterCollection() - settled);
  if (last && count >= enoughForGrowth && tally.growth > mostGrowth)
    onFault({ ...last, reason: `memory grew by ${tally.growth.toFixed(0)} MB over ${Math.round(0.6 * count)} inputs` });
  return tally;
}

async function complaint(feed: Feed, input: FuzzInput, onRefused: () => void): Promise<string | undefined> {
  try {
    await feed(input);
    return undefined;
  } catch (error) {
    onRefused();
    if (!(error instanceof UserError || error instanceof SampleError)) return (error as Error)?.stack ?? String(error);
    if (error.message.length > 4000) return `a message of ${error.message.length} characters`;
    return /\n.*\n/s.test(error.message) ? `a message of several lines: ${error.message.slice(0, 300)}` : undefined;
  }
}

function residentAfterCollection(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1e6;
}
