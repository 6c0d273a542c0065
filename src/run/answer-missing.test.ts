import { describe, expect, it } from 'vitest';
import { makeTasks } from './answer-missing.ts';
import type { Condition } from './predict-job.ts';

const scenarios = Array.from({ length: 9 }, (_, i) => `scenario ${i}`);
const conditions = [0, 1].flatMap((model) =>
  scenarios.map((scenario): Condition => ({ hash: `${model} ${scenario}`, model, scenario, given: false })),
);
const missing = (samples: number, each = conditions.length) =>
  Array.from({ length: samples }, (_, sampleIndex) => ({
    sampleIndex,
    conditions: Array.from({ length: each }, (_, i) => i),
  }));

describe('tasks', () => {
  it('ask for every answer once, in the order of the samples', () => {
    const tasks = [...makeTasks(missing(30), { conditions }, 3)];
    const asked = tasks.flatMap(({ work }) => work.flatMap((one) => one.conditions.map((i) => [one.sampleIndex, i])));
    expect(new Set(asked.map(String)).size).toBe(30 * 18);
    expect(asked).toHaveLength(30 * 18);
    const order = tasks.flatMap(({ work }) => work.map(({ sampleIndex }) => sampleIndex));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('are halves of a photograph at the end, all models of a scenario together', () => {
    const last = [...makeTasks(missing(30), { conditions }, 3)].slice(-12);
    expect(last.map(({ work }) => work.map(({ sampleIndex }) => sampleIndex))).toEqual(
      [24, 25, 26, 27, 28, 29].flatMap((sample) => [[sample], [sample]]),
    );
    for (const { work } of last) {
      const models = new Map<string, number>();
      for (const i of work[0].conditions)
        models.set(conditions[i].scenario, (models.get(conditions[i].scenario) ?? 0) + 1);
      expect([...models.values()].every((count) => count === 2)).toBe(true);
      expect([4, 5]).toContain(models.size);
    }
  });

  it('stay whole where there is little to ask', () => {
    expect([...makeTasks(missing(4, 6), { conditions }, 3)].map(({ work }) => work.length)).toEqual([1, 1, 1, 1]);
    const oneScenario = Array.from({ length: 18 }, (): Condition => ({ ...conditions[0] }));
    expect([...makeTasks(missing(2), { conditions: oneScenario }, 3)]).toHaveLength(2);
  });
});
