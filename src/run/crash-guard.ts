import type { ErrorLine } from '../contracts/prediction.ts';
import type { Sample } from '../contracts/sample.ts';
import { type CrashLessons, crashLessons, crashText, isAmong } from '../formats/in-hand.ts';

/** What a pool must know of its tasks so that a crash inside a native library costs one sample and a line. */
export interface CrashGuard<Task, Result> {
  /** Whose pictures and masks a task works on. */
  samples(task: Task): readonly Sample[];
  /** One task for each of its samples; left out where a task has one. */
  split?(task: Task): readonly Task[];
  /** The result of a task whose sample crashed an earlier try. */
  leaveOut(task: Task, line: ErrorLine): Result;
}

export interface Arranged<Task> {
  /** One at a time, before all others. */
  readonly alone: readonly Task[];
  readonly others: Iterable<Task>;
}

/** Suspects of an earlier crash go first and alone, where they are few; of many, first side by side, one sample each. */
export function arrangeTasks<Task>(
  tasks: Iterable<Task>,
  guard: CrashGuard<Task, never> | CrashGuard<Task, unknown> | undefined,
  lanes: number,
  { suspects, culprits }: CrashLessons = crashLessons(),
): Arranged<Task> {
  const known = new Set([...suspects, ...Object.keys(culprits)]);
  if (!guard || !known.size) return { alone: [], others: tasks };
  const suspected = (task: Task) => guard.samples(task).some((sample) => isAmong(known, sample));
  const [first, rest]: [Task[], Task[]] = [[], []];
  for (const task of tasks)
    for (const part of suspected(task) ? (guard.split?.(task) ?? [task]) : [task])
      (suspected(part) ? first : rest).push(part);
  return first.length > 2 * lanes ? { alone: [], others: [...first, ...rest] } : { alone: first, others: rest };
}

/** The error line of the task's sample, where that sample crashed when it was tried alone. */
export function crashLine<Task>(
  task: Task,
  guard: Pick<CrashGuard<Task, unknown>, 'samples'>,
  { culprits }: CrashLessons = crashLessons(),
): ErrorLine | undefined {
  if (!Object.keys(culprits).length) return undefined;
  const sample = guard.samples(task).find(({ id }) => culprits[id]);
  return (
    sample && { sample: sample.id, file: sample.image, problem: 'crashed', message: crashText(culprits[sample.id]) }
  );
}
