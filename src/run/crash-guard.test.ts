import { beforeEach, expect, it } from 'vitest';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { CrashLessons } from '../formats/in-hand.ts';
import { arrangeTasks, type CrashGuard, crashLine } from './crash-guard.ts';

let lessons: CrashLessons;
beforeEach(() => {
  lessons = { suspects: [], culprits: {} };
});

const guard: CrashGuard<string, ErrorLine> = {
  samples: (task) => [...task].map((id) => ({ id, image: `/data/${id}.jpg` })),
  split: (task) => [...task],
  leaveOut: (_, line) => line,
};
const tasks = ['abc', 'def', 'ghi'];
const arrange = (lanes: number) => {
  const { alone, others } = arrangeTasks(tasks, guard, lanes, lessons);
  return [alone, [...others]];
};

it('tasks stay as they are where nothing crashed', () => {
  expect(arrangeTasks(tasks, guard, 2, lessons)).toEqual({ alone: [], others: tasks });
  expect(crashLine('abc', guard, lessons)).toBeUndefined();
});

it('suspects go first and alone, by name or by file; the rest of their task goes with the others', () => {
  lessons = { suspects: ['e', '/data/g.jpg'], culprits: {} };
  expect(arrange(2)).toEqual([
    ['e', 'g'],
    ['abc', 'd', 'f', 'h', 'i'],
  ]);
});

it('many suspects go first, side by side', () => {
  lessons = { suspects: [...'abcdef'], culprits: {} };
  expect(arrange(2)).toEqual([[], [...'abcdef', 'ghi']]);
});

it('what crashed alone is a line', () => {
  lessons = { suspects: [], culprits: { e: 'SIGABRT' } };
  expect(arrange(1)[0]).toEqual(['e']);
  expect(crashLine('d', guard, lessons)).toBeUndefined();
  expect(crashLine('e', guard, lessons)).toEqual({
    sample: 'e',
    file: '/data/e.jpg',
    problem: 'crashed',
    message: expect.stringContaining('SIGABRT'),
  });
});
