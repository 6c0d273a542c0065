import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { UserError } from '../../contracts/errors.ts';
import { describeIssue, reporting } from '../record/beside.ts';
import { createFrameReader } from './frame-reader.ts';
import { encodeFrame, type Frame, type Hello, helloSchema } from './protocol.ts';

export interface ProgramOptions {
  readonly argv: readonly string[];
  readonly startSeconds: number;
  readonly answerSeconds: number;
  /** The file that the program finds open as descriptor 3. */
  readonly memoryFd?: number;
}

export interface Request {
  readonly id: number;
  readonly header: Frame['header'];
  readonly payload: readonly Uint8Array[];
  /** The longest answer that is due. */
  readonly mostBytes: number;
}

export interface Program {
  readonly hello: Hello;
  readonly memoryFd: number | undefined;
  readonly alive: boolean;
  /** Any number at a time, answered in any order. Throws `Crash` when the program ends, hangs or answers with nonsense. */
  ask(request: Request): Promise<Frame>;
  /** Closes its input, which ends it; kills it where it does not. */
  close(): Promise<void>;
  /** Lets this process end although the program still runs. */
  unref(): void;
}

/** The program is gone, hangs or speaks nonsense; a fresh one may do better. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

const keptLines = 5;
const closeSeconds = 5;

/** Starts a program and waits for its hello. */
export function startProgram({ argv, startSeconds, answerSeconds, memoryFd }: ProgramOptions): Promise<Program> {
  const [command, ...args] = argv;
  const shown = argv.join(' ');
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe', ...(memoryFd === undefined ? [] : [memoryFd])],
    env: { ...process.env, SCENESHIFT_PROTOCOL: '1', ...(memoryFd !== undefined && { SCENESHIFT_MEMORY_FD: '3' }) },
    windowsHide: true,
  });
  let alive = true;
  let lastLines: string[] = [];
  const waiting = new Map<number, Waiting>();
  let patience: NodeJS.Timeout | undefined;
  const said = () => (lastLines.length ? `; it said: ${lastLines.join(' | ').slice(-400)}` : '');
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  /** All open requests fail with the same error object, so that one crash is counted once. */
  const broke = (reason: string) => {
    clearTimeout(patience);
    const crash = new Crash(`${shown} ${reason}${said()}`);
    for (const { reject } of waiting.values()) reject(crash);
    waiting.clear();
  };
  const kill = () => {
    alive = false;
    child.kill('SIGKILL');
  };
  /** From the last sign of life on, while an answer is due. */
  const watch = () => {
    clearTimeout(patience);
    if (!waiting.size) return;
    patience = setTimeout(() => {
      broke(`gave no answer within ${answerSeconds} s`);
      kill();
    }, answerSeconds * 1000);
  };

  const [input, output, errors] = child.stdio as unknown as [Writable, Readable, Readable];
  errors.setEncoding('utf8').on('data', (text: string) => {
    lastLines = [...lastLines, ...text.split(/\r?\n/).filter(Boolean)].slice(-keptLines);
  });
  // A program that ends while it is written to breaks the pipe; its end is told by `close`.
  input.on('error', () => undefined);

  return new Promise((resolve, reject) => {
    const refuse = (error: UserError) => {
      kill();
      reject(error);
    };
    const timer = setTimeout(
      () => refuse(new UserError(`${shown} did not say hello within ${startSeconds} s${said()}`)),
      startSeconds * 1000,
    );
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      alive = false;
      reject(
        new UserError(
          error.code === 'ENOENT'
            ? `Cannot start '${command}': there is no such program`
            : `Cannot start '${shown}': ${error.message}`,
        ),
      );
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      alive = false;
      const how = signal ? `was ended by ${signal}` : `ended with status ${code}`;
      broke(how);
      reject(new UserError(`${shown} ${how} before it said hello${said()}`));
    });
    const reader = createFrameReader({
      onHello(line) {
        clearTimeout(timer);
        try {
          resolve(makeProgram(readHello(line, shown)));
        } catch (error) {
          refuse(error as UserError);
        }
      },
      onFrame(frame) {
        const id = idOf(frame, waiting);
        const pending = waiting.get(id);
        if (!pending) {
          broke(
            `answered request ${shownId(frame.header.id)} where ${[...waiting.keys()].join(', ') || 'none'} was asked`,
          );
          return kill();
        }
        waiting.delete(id);
        watch();
        pending.resolve(frame);
      },
      onBroken(reason) {
        broke(`does not keep to the protocol: ${reason}`);
        refuse(new UserError(`${shown} does not keep to the protocol: ${reason}`));
      },
      mostPayload: () => Math.max(0, ...[...waiting.values()].map(({ mostBytes }) => mostBytes)),
    });
    output.on('data', (chunk: Uint8Array) => reader.push(chunk));
  });

  function makeProgram(hello: Hello): Program {
    return {
      hello,
      get alive() {
        return alive;
      },
      memoryFd,
      ask({ id, header, payload, mostBytes }) {
        if (!alive) return Promise.reject(new Crash(`${shown} has ended${said()}`));
        return new Promise<Frame>((resolve, reject) => {
          waiting.set(id, { resolve, reject, mostBytes });
          if (waiting.size === 1) watch();
          input.cork();
          for (const part of encodeFrame({ id, ...header }, payload)) input.write(part);
          input.uncork();
        });
      },
      async close() {
        if (!alive) return;
        input.end();
        // Answers that are still due are for nobody.
        if (waiting.size) child.kill('SIGTERM');
        const timer = setTimeout(kill, closeSeconds * 1000);
        await ended;
        clearTimeout(timer);
      },
      unref: () => unref(child),
    };
  }
}

interface Waiting {
  readonly mostBytes: number;
  resolve(frame: Frame): void;
  reject(error: unknown): void;
}

/** A refusal without an id belongs to the only request there is. */
function idOf({ header: { id, error } }: Frame, waiting: ReadonlyMap<number, unknown>): number {
  if (id === undefined && typeof error === 'string' && waiting.size === 1) return [...waiting.keys()][0];
  return typeof id === 'number' ? id : Number.NaN;
}

const shownId = (id: unknown) => String(JSON.stringify(id)).slice(0, 40);

function unref(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as { unref?(): void } | null)?.unref?.();
}

function readHello(line: string, shown: string): Hello {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new UserError(
      `${shown}: expected a hello in JSON as its first line but received '${line.slice(0, 80)}'; see docs/command-protocol.md`,
    );
  }
  const result = helloSchema.safeParse(json, reporting);
  if (result.success) return result.data;
  throw new UserError(
    `${shown}: its hello is wrong: ${describeIssue(result.error.issues[0], Object.keys(helloSchema.shape))}`,
  );
}
