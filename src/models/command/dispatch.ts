import { exitCodes, UserError } from '../../contracts/errors.ts';
import type { Answer, Prepared, Question } from '../define.ts';
import { Crash } from './program.ts';

/** The program says that it cannot answer; starting it again would not help. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

export interface QueuedPicture {
  readonly prepared: Prepared;
  readonly question: Question;
}

interface Asked extends QueuedPicture {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export interface DispatchOptions {
  /** The most pictures of one request, and requests at a time. */
  readonly batch: number;
  readonly parallel: number;
  /** Crashes in a row that are forgiven. */
  readonly restarts: number;
  /** Pictures of one name here may share a request. */
  kindOf(picture: QueuedPicture): string;
  ask(pictures: readonly QueuedPicture[]): Promise<Answer[]>;
}

/**
 * Pictures of all workers wait in one line; whenever the program has room for a request it gets as many of them as are
 * there, so it never waits for a batch to fill. After a crash nobody knows which picture did it: each request that was
 * under way is asked again by itself, and if it crashes again picture by picture, so that one picture is lost at most.
 */
export function createDispatch({ batch, parallel, restarts, kindOf, ask }: DispatchOptions) {
  const line: Asked[] = [];
  const suspects: Asked[][] = [];
  let underWay = 0;
  /** Since the last answer. */
  let crashes = 0;
  let lastCrash: unknown;
  let fatal: UserError | undefined;

  const nextGroup = (): Asked[] => {
    const kind = kindOf(line[0]);
    let end = 1;
    while (end < Math.min(batch, line.length) && kindOf(line[end]) === kind) end++;
    return line.splice(0, end);
  };
  const pump = () => {
    if (suspects.length) {
      if (underWay === 0) void run(suspects.shift() as Asked[], true);
      return;
    }
    while (line.length && underWay < parallel) void run(nextGroup(), false);
  };
  const run = async (group: Asked[], alone: boolean) => {
    underWay++;
    try {
      const answers = await ask(group);
      crashes = 0;
      for (const [i, asked] of group.entries()) asked.resolve(answers[i]);
    } catch (error) {
      settle(group, alone, error);
    } finally {
      underWay--;
      pump();
    }
  };
  const settle = (group: Asked[], alone: boolean, error: unknown) => {
    if (error instanceof Crash) {
      if (error !== lastCrash) crashes++;
      lastCrash = error;
      if (crashes > restarts)
        fatal ??= new UserError(`${error.message} (${crashes} times in a row, so it is not started again)`, {
          exitCode: exitCodes.failed,
        });
    } else if (!(error instanceof Refusal)) {
      for (const asked of group) asked.reject(error);
      return;
    }
    if (fatal) {
      for (const asked of [group, ...suspects.splice(0), line.splice(0)].flat()) asked.reject(fatal);
    } else if (error instanceof Crash && !alone) suspects.push(group);
    else if (group.length === 1) group[0].resolve({ kind: 'failed', message: (error as Error).message });
    else suspects.unshift(...group.map((asked) => [asked]));
  };

  return (pictures: readonly QueuedPicture[]): Promise<Answer[]> => {
    if (fatal) return Promise.reject(fatal);
    const answers = pictures.map(
      (picture) => new Promise<Answer>((resolve, reject) => line.push({ ...picture, resolve, reject })),
    );
    pump();
    return Promise.all(answers);
  };
}
