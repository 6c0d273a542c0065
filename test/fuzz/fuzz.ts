import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SampleError, UserError } from '../../src/contracts/errors.ts';
import type { Random } from '../../src/contracts/random.ts';
import { randomFor } from '../../src/stats/random.ts';

/** One input: files by name, as text or bytes; the target decides what they are. */
export type FuzzInput = Readonly<Record<string, string | Uint8Array>>;

export interface FuzzTarget {
  readonly name: string;
  make(random: Random): FuzzInput;
  /** Gives the input to the program. May throw `UserError` or `SampleError`, which are answers; all else is a fault. */
  feed(input: FuzzInput): Promise<void>;
  /** Seconds of this process's own computing that one input may cost; load on the machine does not count. */
  readonly mostCpuSeconds?: number;
  /** How much one input may add to the process's memory while it is worked on. */
  readonly mostMegabytes?: number;
}

export interface FuzzFault {
  readonly seed: number | string;
  readonly reason: string;
  readonly input: FuzzInput;
}

export interface FuzzOptions {
  readonly count: number;
  readonly firstSeed?: number;
  /** Called before each input, so that whoever watches knows which one hung. */
  readonly onInput?: (seed: number | string) => void;
}

/** Feeds the kept corpus, then `count` new inputs; the same seed makes the same input. */
export async function fuzz(
  target: FuzzTarget,
  corpus: string,
  { count, firstSeed = 0, onInput }: FuzzOptions,
): Promise<FuzzFault[]> {
  const faults: FuzzFault[] = [];
  for (const { name, input } of readCorpus(corpus)) {
    onInput?.(name);
    const reason = await judge(target, input);
    if (reason) faults.push({ seed: name, reason, input });
  }
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    onInput?.(seed);
    const input = target.make(randomFor('fuzz', target.name, seed));
    const reason = await judge(target, input);
    if (reason) faults.push({ seed, reason, input });
  }
  return faults;
}

async function judge(target: FuzzTarget, input: FuzzInput): Promise<string | undefined> {
  const { mostCpuSeconds = 10, mostMegabytes = 1024 } = target;
  const cpu = process.cpuUsage();
  const before = process.memoryUsage.rss();
  let reason: string | undefined;
  try {
    await target.feed(input);
  } catch (error) {
    if (!(error instanceof UserError || error instanceof SampleError))
      reason = (error as Error)?.stack ?? String(error);
    else if (error.message.length > 4000) reason = `a message of ${error.message.length} characters`;
  }
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (user + system) / 1e6;
  const megabytes = (process.memoryUsage.rss() - before) / 1e6;
  if (seconds > mostCpuSeconds) reason ??= `it took ${seconds.toFixed(1)} s of computing`;
  if (megabytes > mostMegabytes) reason ??= `it took ${megabytes.toFixed(0)} MB`;
  return reason;
}

type Stored = Record<string, { text: string } | { base64: string }>;

function readCorpus(folder: string): { name: string; input: FuzzInput }[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name.endsWith('.json'))
    .map(({ name }) => {
      const stored = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Stored;
      const files = Object.entries(stored).map(([file, content]) => [
        file,
        'text' in content ? content.text : Buffer.from(content.base64, 'base64'),
      ]);
      return { name, input: Object.fromEntries(files) };
    });
}

/** Keeps an input that once failed; it is fed first ever after. */
export function keep(folder: string, name: string, input: FuzzInput): string {
  mkdirSync(folder, { recursive: true });
  const stored: Stored = Object.fromEntries(
    Object.entries(input).map(([file, content]) => [
      file,
      typeof content === 'string' ? { text: content } : { base64: Buffer.from(content).toString('base64') },
    ]),
  );
  const path = join(folder, `${name}.json`);
  writeFileSync(path, `${JSON.stringify(stored, null, 1)}\n`);
  return path;
}
