import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../../bin/sceneshift.js', import.meta.url));

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command under way: what it says, and signals for it. */
export interface Running {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  kill(signal: NodeJS.Signals): boolean;
}

/** Where warm processes take calls (warm-processes.ts). */
export const callsVariable = 'SCENESHIFT_TESTS_CALLS';

export const hasWarmProcesses = (): boolean => process.env[callsVariable] !== undefined;

export interface WarmCall {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Of the process: calls with another one get another process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Of this call alone: what the command line reads anew for each. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A process that only calls of this name share: where what one loads or learns must not be known to others. */
  readonly machine?: string;
  /** `onStart` hears stdout too: a command that says something before its end. */
  readonly tellsAll?: boolean;
}

export interface WarmSaid {
  readonly said: string;
  readonly by: 'stdout' | 'stderr';
}

/** A line of a warm process's answer: which process it is, what it says meanwhile, and how it ended. */
export type WarmAnswer = { readonly pid: number } | WarmSaid | { readonly ran: Ran } | { readonly died: string };

/**
 * The built command line, called in a process that has done other calls before: a fifth to a half of the time. For all tests that are
 * not about the process itself (crashes, what a signal does to a command), which `startSceneshift`. `onStart`: as there, to hear what it
 * says and to send it SIGTERM.
 */
export function sceneshift(
  args: readonly string[],
  { cwd = tmpdir(), onStart, ...more }: Omit<Partial<WarmCall>, 'args'> & { onStart?: (running: Running) => void } = {},
): Promise<Ran> {
  const path = process.env[callsVariable];
  if (!path) throw new Error(`${callsVariable} is not set: only end-to-end tests have warm processes`);
  const call: WarmCall = { ...more, args, cwd };
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const signals: NodeJS.Signals[] = [];
  let pid: number | undefined;
  let isOver = false;
  const kill = (signal: NodeJS.Signals) => {
    if (isOver) return false;
    signals.push(signal);
    return pid === undefined || process.kill(pid, signal);
  };
  for (const stream of Object.values(streams)) stream.resume();
  onStart?.({ ...streams, kill });
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`sceneshift ${args.join(' ')}: ${why}`));
    const socket = connect(path, () => socket.write(`${JSON.stringify(call)}\n`));
    socket.on('error', (error) => fail(error.message));
    socket.on('end', () => fail('no answer'));
    createInterface({ input: socket }).on('line', (line) => {
      const answer: WarmAnswer = JSON.parse(line);
      if ('pid' in answer) {
        pid = answer.pid;
        for (const signal of signals) process.kill(pid, signal);
        return;
      }
      if ('said' in answer) {
        streams[answer.by].write(answer.said);
        return;
      }
      isOver = true;
      if ('ran' in answer) resolve(answer.ran);
      else if (signals.length) resolve({ status: null, stdout: '', stderr: answer.died });
      else fail(answer.died);
    });
  });
}

/** Several calls one after the other. */
export async function sceneshiftEach(
  calls: readonly (readonly string[])[],
  options: Parameters<typeof sceneshift>[1] = {},
): Promise<Ran[]> {
  const ran: Ran[] = [];
  for (const args of calls) ran.push(await sceneshift(args, options));
  return ran;
}

/** The built command line in a process of its own, as a user starts it. */
export function startSceneshift(
  args: readonly string[],
  {
    cwd = tmpdir(),
    env = {},
    bin: program = bin,
    within = [],
    onStart,
  }: {
    cwd?: string;
    env?: NodeJS.ProcessEnv;
    bin?: string;
    /** A program that starts it, with its arguments. */
    within?: readonly string[];
    onStart?: (child: ChildProcess) => void;
  } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const [command, ...rest] = [...within, process.execPath, program, ...args];
    const child = spawn(command, rest, { cwd, env: { ...process.env, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    onStart?.(child);
  });
}

/** Path → hash of every file below a folder. */
export async function fingerprints(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.map(async (file) => [
    file.slice(folder.length + 1),
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ]);
  return Object.fromEntries((await Promise.all(pairs)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
