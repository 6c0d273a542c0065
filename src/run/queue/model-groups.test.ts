import { describe, expect, it } from 'vitest';
import type { Plan } from '../plan.ts';
import { answersOfModels, modelGroups, planOfModels } from './model-groups.ts';

const conditions = [0, 1, 2, 0, 1, 2].map((model, i) => ({
  model,
  scenario: `s${i >> 1}`,
  hash: `h${i}`,
  given: false,
}));
const wanted = [
  [0, 1, 2, 3, 4, 5],
  [0, 3, 2],
];

describe('models in groups', () => {
  it('are all held together unless told otherwise', () => {
    expect([modelGroups(5, undefined), modelGroups(5, 5), modelGroups(1, 9)]).toEqual([
      [undefined],
      [undefined],
      [undefined],
    ]);
    expect(modelGroups(5, 2)).toEqual([[0, 1], [2, 3], [4]]);
  });

  it('every missing answer belongs to one group', () => {
    const missing = [
      { sampleIndex: 0, conditions: [1, 2, 3] },
      { sampleIndex: 1, conditions: [0] },
    ];
    const ofGroup = (models: number[] | undefined) => answersOfModels({ wanted, conditions }, missing, models);
    expect(ofGroup([0, 1])).toEqual({
      wanted: [
        [0, 1, 3, 4],
        [0, 3],
      ],
      missing: [
        { sampleIndex: 0, conditions: [1, 3] },
        { sampleIndex: 1, conditions: [0] },
      ],
    });
    expect(ofGroup([2])).toEqual({ wanted: [[2, 5], [2]], missing: [{ sampleIndex: 0, conditions: [2] }] });
    expect(ofGroup(undefined)).toEqual({ wanted, missing });
  });

  it('the plan of a group keeps the places of conditions; what is asked of them is of the right model', () => {
    const plan = {
      conditions,
      models: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
      plannedSamples: [{ targets: [[1], [2], [3]] }],
    } as unknown as Plan;
    const own = planOfModels(plan, [1, 2]);
    expect(own.models.map(({ name }) => name)).toEqual(['b', 'c']);
    expect(own.conditions.map(({ model }) => own.models[model]?.name)).toEqual([
      undefined,
      'b',
      'c',
      undefined,
      'b',
      'c',
    ]);
    expect(own.plannedSamples[0].targets).toEqual([[2], [3]]);
    expect(() => planOfModels(plan, [3])).toThrow('no model at place 3');
  });
});
