import { type ChildProcess, spawn } from 'node:child_process';
import { bin } from './place.ts';

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  readonly seconds: number;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The built command line. A command that does not end within the limit is a fault, told as the signal that ended it. */
export function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Started {
  const begun = process.hrtime.bigint();
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: Ctrl+C on the suite ends the suite, after the trial in hand, and strikes no command.
    detached: true,
  });
  let stderr = '';
  child.stderr?.on('data', (text) => (stderr += text));
  const limit = setTimeout(() => child.kill('SIGQUIT'), 10 * 60_000);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => {
      clearTimeout(limit);
      resolve({ status, signal, stderr, seconds: Number(process.hrtime.bigint() - begun) / 1e9 });
    });
  });
  return { child, ended };
}

/** Resolves after so long, or as soon as the command has ended: true where it still ran. */
export function isRunningAfter({ ended }: Started, seconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), 1000 * seconds);
    ended.then(() => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
