import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

export interface Turns {
  readonly stdout: string;
  /** Seconds between two moments (of the clock, in seconds) in which it was allowed to run. */
  active(from: number, to: number): number;
  /** The same of its whole life. */
  readonly whole: number;
}

interface Running {
  readonly child: ChildProcess;
  /** When it was held: from, to. */
  readonly held: [number, number][];
  readonly over: Promise<Turns>;
  isOver: boolean;
}

const now = () => Date.now() / 1000;

/**
 * Runs commands on the same cores, one at a time, each held (SIGSTOP) while another has its turn. The speed of a shared
 * machine changes by a quarter from one half minute to the next: measured one after the other, commands would be compared
 * on different machines.
 */
export async function inTurns(
  commands: readonly Command[],
  { sliceSeconds, onOver }: { sliceSeconds: number; onOver?: (command: Command) => void },
): Promise<Turns[]> {
  const all = commands.map(begin);
  const letGo = () => {
    for (const { child, isOver } of all) if (!isOver) signal(child, 'SIGKILL');
  };
  process.on('exit', letGo);
  try {
    for (const one of all) hold(one);
    while (all.some(({ isOver }) => !isOver))
      for (const one of all.filter(({ isOver }) => !isOver)) {
        release(one);
        const timer = new AbortController();
        const slice = setTimeout(1000 * sliceSeconds, undefined, timer).catch(() => undefined);
        await Promise.race([one.over, slice]);
        timer.abort();
        if (one.isOver) onOver?.(commands[all.indexOf(one)]);
        else hold(one);
      }
    return await Promise.all(all.map(({ over }) => over));
  } finally {
    letGo();
    process.off('exit', letGo);
  }
}

function begin({ program, args }: Command): Running {
  // In a group of its own, so that all its processes are held together.
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const started = now();
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => (stdout += data));
  child.stderr.on('data', (data) => (stderr += data));
  const held: [number, number][] = [];
  const active = (from: number, to: number) =>
    held.reduce((left, [a, b]) => left - Math.max(0, Math.min(to, b) - Math.max(from, a)), to - from);
  const over = new Promise<Turns>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      running.isOver = true;
      if (status !== 0) reject(new Error(`${program} ${args.slice(0, 3).join(' ')} failed: ${stderr.slice(-500)}`));
      else resolve({ stdout, active, whole: active(started, now()) });
    });
  });
  over.catch(() => undefined);
  const running: Running = { child, held, over, isOver: false };
  return running;
}

function hold({ child, held }: Running): void {
  signal(child, 'SIGSTOP');
  held.push([now(), Number.POSITIVE_INFINITY]);
}

function release({ child, held }: Running): void {
  const last = held.at(-1);
  if (last) last[1] = now();
  signal(child, 'SIGCONT');
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
