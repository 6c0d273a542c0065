import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exitCodes } from '../contracts/errors.ts';
import { terminalText } from '../formats/escape.ts';
import { type CrashLessons, type InHand, journalVariable, readInHand, writeLessons } from '../formats/in-hand.ts';
import { oneRegion } from './supervised.ts';

/**
 * Runs a command in a process of its own, so that a crash inside a native library (a decoder, a network's runtime) costs the
 * file that caused it and not the command: the command is started again, which continues where it stopped; what was in hand is
 * tried alone, and what crashes alone is left out.
 */
const crashes = new Set<string>(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS']);
/** Windows has statuses instead: access violation, illegal instruction, stack overflow, stack buffer overrun, abort. */
const crashStatuses: Record<number, string> = {
  3221225477: 'access violation',
  3221225501: 'illegal instruction',
  3221225725: 'stack overflow',
  3221226505: 'stack buffer overrun',
};
/** Crashes that name no culprit: memory that runs out, for instance. More of them, and starting again helps nobody. */
const mostUnexplained = 5;
const journalFd = 4;
/** As many as the command is asked to use, or as there are cores. */
function threadsFor(args: readonly string[]): number {
  const { threads } = parseArgs({ args: [...args], options: { threads: { type: 'string' } }, strict: false }).values;
  const cores = availableParallelism();
  return Math.min(cores, Number(threads) || cores);
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const say = (text: string) => process.stderr.write(terminalText(`${text}\n`));

async function supervise(args: readonly string[]): Promise<void> {
  let lessons: CrashLessons = { suspects: [], culprits: {} };
  const journal = createJournal();
  const interrupts = forwardInterrupts();
  try {
    for (let unexplained = 0; ; ) {
      if (interrupts.any()) return leave({ code: null, signal: 'SIGINT' });
      ftruncateSync(journal.fd, 0);
      writeLessons(journal.fd, lessons);
      const ended = await start(args, journal.fd, interrupts);
      const crash = crashOf(ended);
      if (!crash || interrupts.any()) return leave(ended);
      const inHand = readInHand(journal.fd);
      const models = namesOf(inHand, 'model');
      const [samples, files] = [namesOf(inHand, 'sample'), namesOf(inHand, 'file')];
      const suspects = [...samples, ...files];
      lessons = { ...lessons, chunks: inHand.filter(({ kind }) => kind === 'chunk').flatMap(({ names }) => names) };
      if (models.length)
        return giveUp(`${models.join(', ')}: a native library crashed (${crash}) while it was loaded and tried`);
      if (!suspects.length) return giveUp(`A native library crashed (${crash}) and no file was in hand`);
      const alone = samples.length < 2 && files.length < 2 && suspects.some((one) => lessons.suspects.includes(one));
      if (alone) {
        // A sample may have borrowed the file it crashed on, as another's background.
        const culprit = files[0] ?? samples[0];
        say(`✗ ${culprit} crashes a native library (${crash}) also when tried alone; it is left out`);
        const others = lessons.suspects.filter((one) => one !== culprit);
        lessons = { ...lessons, suspects: others, culprits: { ...lessons.culprits, [culprit]: crash } };
      } else {
        if (lessons.suspects.length <= suspects.length && ++unexplained > mostUnexplained)
          return giveUp(`A native library crashed ${unexplained} times (${crash}), and no file alone makes it`);
        const shown = suspects.slice(0, 3).join(', ');
        const more = suspects.length > 3 ? ` and ${suspects.length - 3} more` : '';
        say(`! A native library crashed (${crash}) with ${shown}${more} in hand; each is tried again alone`);
        lessons = { ...lessons, suspects };
      }
    }
  } finally {
    journal.close();
  }
}

const namesOf = (inHand: readonly InHand[], kind: InHand['kind']) => [
  ...new Set(inHand.filter((one) => one.kind === kind).flatMap(({ names }) => names)),
];

const crashOf = ({ code, signal }: Ended): string | undefined =>
  signal ? (crashes.has(signal) ? signal : undefined) : crashStatuses[code ?? 0];

function giveUp(reason: string): void {
  say(`✗ ${reason}; please report it with the file`);
  process.exitCode = exitCodes.failed;
}

/** Ends this process as the command ended: with its exit status, or by its signal. */
function leave({ code, signal }: Ended): void {
  if (!signal) process.exitCode = code ?? exitCodes.failed;
  else if (crashes.has(signal)) process.exitCode = 128 + constants.signals[signal];
  else {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
}

interface Interrupts {
  any(): boolean;
  /** Called with every signal that the process receives, repeats included. */
  tell?: (signal: NodeJS.Signals) => void;
}

/**
 * A terminal interrupts both processes, `kill` only this one: the command counts what reached it either way (interrupt.ts). It
 * alone decides what an interrupt means.
 */
function forwardInterrupts(): Interrupts {
  let any = false;
  const interrupts: Interrupts = { any: () => any };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      any = true;
      interrupts.tell?.(signal);
    });
  return interrupts;
}

/** As in threads (run/threads.ts): memory does not grow with the number of photographs by what could be freed. */
const smallCollections = '--max-semi-space-size=4';

function start(args: readonly string[], fd: number, interrupts: Interrupts): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const cli = fileURLToPath(new URL('./cli.js', import.meta.url));
    const threads = threadsFor(args);
    const child = spawn(process.execPath, [smallCollections, ...process.execArgv, cli, ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc', fd],
      env: {
        // Every worker thread has its pictures decoded and its files read by the process's one pool, of four threads unless told. No more
        // of them than there is work for: each holds on to memory of its own.
        UV_THREADPOOL_SIZE: String(Math.max(4, threads)),
        ...(threads <= oneRegion.mostThreads && { [oneRegion.name]: oneRegion.value }),
        ...process.env,
        [journalVariable]: String(journalFd),
      },
    });
    interrupts.tell = (signal) => child.connected && child.send({ interrupt: signal }, () => undefined);
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** A file that has no name as soon as it is open, where the system allows that: nothing is left of it, whatever happens. */
function createJournal(): { fd: number; close(): void } {
  const path = join(tmpdir(), `sceneshift-${randomUUID()}`);
  const fd = openSync(path, 'wx+', 0o600);
  const remove = () => {
    try {
      rmSync(path, { force: true });
    } catch {
      // Windows keeps the name until it is closed.
    }
  };
  remove();
  return {
    fd,
    close() {
      closeSync(fd);
      remove();
    },
  };
}

await supervise(process.argv.slice(2));
