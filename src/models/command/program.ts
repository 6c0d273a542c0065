import { type ChildProcess, spawn } from 'node:child_process';
import { UserError } from '../../contracts/errors.ts';
import { describeIssue, reporting } from '../record/beside.ts';
import { createFrameReader, encodeFrame, type Frame, type Hello, helloSchema } from './protocol.ts';

export interface ProgramOptions {
  readonly argv: readonly string[];
  readonly startSeconds: number;
  readonly answerSeconds: number;
}

export interface Program {
  readonly hello: Hello;
  readonly alive: boolean;
  /** One request at a time. Throws `Crash` when the program ends, hangs or answers with nonsense. */
  ask(frame: Frame): Promise<Frame>;
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
export function startProgram({ argv, startSeconds, answerSeconds }: ProgramOptions): Promise<Program> {
  const [command, ...args] = argv;
  const shown = argv.join(' ');
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, SCENESHIFT_PROTOCOL: '1' },
    windowsHide: true,
  });
  let alive = true;
  let lastLines: string[] = [];
  let waiting: { resolve(frame: Frame): void; reject(error: unknown): void } | undefined;
  const said = () => (lastLines.length ? `; it said: ${lastLines.join(' | ').slice(-400)}` : '');
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const broke = (reason: string) => {
    const pending = waiting;
    waiting = undefined;
    pending?.reject(new Crash(`${shown} ${reason}${said()}`));
  };
  const kill = () => {
    alive = false;
    child.kill('SIGKILL');
  };

  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastLines = [...lastLines, ...text.split(/\r?\n/).filter(Boolean)].slice(-keptLines);
  });
  // A program that ends while it is written to breaks the pipe; its end is told by `close`.
  child.stdin.on('error', () => undefined);

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
        const pending = waiting;
        waiting = undefined;
        pending?.resolve(frame);
      },
      onBroken(reason) {
        broke(`does not keep to the protocol: ${reason}`);
        refuse(new UserError(`${shown} does not keep to the protocol: ${reason}`));
      },
    });
    child.stdout.on('data', (chunk: Uint8Array) => reader.push(chunk));
  });

  function makeProgram(hello: Hello): Program {
    return {
      hello,
      get alive() {
        return alive;
      },
      ask(frame) {
        if (!alive) return Promise.reject(new Crash(`${shown} has ended${said()}`));
        return new Promise<Frame>((resolve, reject) => {
          const timer = setTimeout(() => {
            broke(`gave no answer within ${answerSeconds} s`);
            kill();
          }, answerSeconds * 1000);
          const settle =
            <T>(next: (value: T) => void) =>
            (value: T) => {
              clearTimeout(timer);
              next(value);
            };
          waiting = { resolve: settle(resolve), reject: settle(reject) };
          for (const part of encodeFrame(frame)) child.stdin.write(part);
        });
      },
      async close() {
        if (!alive) return;
        child.stdin.end();
        const timer = setTimeout(kill, closeSeconds * 1000);
        await ended;
        clearTimeout(timer);
      },
      unref: () => unref(child),
    };
  }
}

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
