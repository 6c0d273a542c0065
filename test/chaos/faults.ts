import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../src/contracts/random.ts';
import type { ChaosCommand } from './commands.ts';
import { changingSource } from './place.ts';
import { type Ended, isRunningAfter, start } from './process.ts';

export interface Trial {
  readonly command: ChaosCommand;
  readonly folder: string;
  readonly random: Random;
  /** What an undisturbed call took lately, and what it leaves. */
  readonly seconds: number;
  readonly bytes: number;
  /** The other photograph, for sources that change. */
  readonly other: string;
}

export interface Disturbed {
  readonly ended: readonly Ended[];
  /** How often a running command was really struck. */
  readonly struck: number;
  /** The environment of the call that follows. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Fault {
  readonly name: string;
  /** What a command that was struck may end with beside 0, which must mean that all is done. */
  readonly ends: { readonly status: readonly number[]; readonly signals: readonly NodeJS.Signals[] };
  /** What it must say where it ends with a status of its own. */
  readonly says?: RegExp;
  readonly fits?: (command: ChaosCommand) => boolean;
  /** Several calls at once: one at least gets through, and only where the command locks its folder another is refused. */
  readonly contested?: boolean;
  /** Afterwards the sources are others, and so is what is wanted. */
  readonly changesSource?: boolean;
  /** The trial lies on a small file system of its own. */
  readonly ownDisk?: boolean;
  /** Whether this machine allows it; else a line that says what is missing. */
  readonly lacking?: () => string | undefined;
  readonly disturb: (trial: Trial) => Promise<Disturbed>;
}

/** A moment of the call: mostly within its work, at times past its usual end. */
const moment = ({ random, seconds }: Trial) => seconds * (0.1 + 0.95 * random.uniform());

async function strike(trial: Trial, act: (pid: number) => unknown, env?: NodeJS.ProcessEnv): Promise<Disturbed> {
  const started = start(trial.command.args, trial.folder, env);
  const running = await isRunningAfter(started, moment(trial));
  if (running) await act(started.child.pid as number);
  return { ended: [await started.ended], struck: running ? 1 : 0 };
}

const signal = (name: NodeJS.Signals) => (pid: number) => {
  try {
    process.kill(pid, name);
  } catch {
    // It ended just now.
  }
};

const kill: Fault = {
  name: 'kill',
  ends: { status: [], signals: ['SIGKILL'] },
  // One after another into what the one before left.
  async disturb(trial) {
    const ended: Ended[] = [];
    let struck = 0;
    for (let i = trial.random.integer(1, 4); i > 0; i--) {
      const one = await strike(trial, signal('SIGKILL'));
      ended.push(...one.ended);
      struck += one.struck;
      if (!one.struck) break;
    }
    return { ended, struck };
  },
};

const interrupt: Fault = {
  name: 'interrupt',
  ends: { status: [130], signals: ['SIGINT', 'SIGTERM'] },
  says: /Interrupted/,
  lacking: () => (process.platform === 'win32' ? 'Windows has no such signals' : undefined),
  async disturb(trial) {
    const name = trial.random.uniform() < 0.5 ? 'SIGINT' : 'SIGTERM';
    const twice = trial.random.uniform() < 0.3;
    return strike(trial, (pid) => {
      signal(name)(pid);
      if (twice) setTimeout(signal(name), 50, pid);
    });
  },
};

const twoAtOnce: Fault = {
  name: 'two at once',
  ends: { status: [1], signals: [] },
  says: /is being written to by process|was taken over by process/,
  contested: true,
  async disturb(trial) {
    const both = [start(trial.command.args, trial.folder), start(trial.command.args, trial.folder)];
    return { ended: await Promise.all(both.map(({ ended }) => ended)), struck: 1 };
  },
};

const clockModule = fileURLToPath(new URL('../../test/chaos/shift-clock.mjs', import.meta.url));
const clock: Fault = {
  name: 'clock jumps',
  ends: { status: [], signals: ['SIGKILL'] },
  async disturb(trial) {
    const at = () => ({
      NODE_OPTIONS: `--import=${clockModule}`,
      CLOCK_SHIFT: String(trial.random.integer(-400, 400) * 86_400),
    });
    return { ...(await strike(trial, signal('SIGKILL'), at())), env: at() };
  },
};

const remove: Fault = {
  name: 'folder deleted',
  // 2: what a later step of the same command reads is not there.
  ends: { status: [1, 2], signals: [] },
  fits: ({ out }) => out !== undefined,
  disturb: (trial) =>
    strike(trial, () => rm(join(trial.folder, trial.command.out as string), { recursive: true, force: true })),
};

const change: Fault = {
  name: 'source changes',
  ends: { status: [1], signals: [] },
  fits: ({ reads }) => reads === true,
  changesSource: true,
  async disturb(trial) {
    const source = join(trial.folder, changingSource);
    const replace = async () => {
      await copyFile(trial.other, `${source}.new`);
      await rename(`${source}.new`, source);
    };
    const one = await strike(trial, replace);
    if (!one.struck) await replace();
    return one;
  },
};

const diskFull: Fault = {
  name: 'disk full',
  ends: { status: [1], signals: [] },
  says: /disk is full/,
  ownDisk: true,
  lacking: () => (canMount() ? undefined : 'mounting a small tmpfs is not allowed here'),
  async disturb(trial) {
    const used = await bytesBelow(trial.folder);
    const room = used + Math.floor(trial.bytes * trial.random.uniform());
    resize(trial.folder, room);
    const ended = [await start(trial.command.args, trial.folder).ended];
    resize(trial.folder, 2 ** 28);
    return { ended, struck: 1 };
  },
};

const readOnly: Fault = {
  name: 'read-only',
  ends: { status: [1], signals: [] },
  says: /No permission for|cannot be written to/,
  fits: ({ out }) => out !== undefined && !out.includes('.'),
  lacking: () => (canSetImmutable() ? undefined : 'chattr +i is not allowed here'),
  async disturb(trial) {
    const folder = join(trial.folder, trial.command.out as string);
    const one = await strike(trial, () => setImmutable(folder, true));
    await setImmutable(folder, false);
    return one;
  },
};

export const faults: readonly Fault[] = [kill, interrupt, twoAtOnce, clock, remove, change, diskFull, readOnly];

function isAllowed(act: (folder: string) => void): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-allowed-'));
  try {
    act(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const quiet = { stdio: 'ignore' } as const;
const canMount = () =>
  isAllowed((folder) => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4096', 'sceneshift-chaos', folder], quiet);
    execFileSync('umount', [folder], quiet);
  });
const canSetImmutable = () =>
  isAllowed((folder) => {
    execFileSync('chattr', ['+i', folder], quiet);
    execFileSync('chattr', ['-i', folder], quiet);
  });

/** Root writes wherever permissions forbid it; an immutable folder stops root too. */
async function setImmutable(folder: string, on: boolean): Promise<void> {
  if (await stat(folder).catch(() => undefined)) execFileSync('chattr', ['-R', on ? '+i' : '-i', folder]);
}

const resize = (folder: string, bytes: number) =>
  execFileSync('mount', ['-o', `remount,size=${Math.max(4096, bytes)}`, folder]);

/** In pages, as the file system counts. */
export async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += Math.ceil((await stat(join(entry.parentPath, entry.name))).size / 4096) * 4096;
  }
  return bytes;
}
