import { describe, expect, it } from 'vitest';
import { type LaneDepth, laneOf, lanesToAsk } from './lanes.ts';

const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
const lane = (name: string, depth: Partial<LaneDepth> = {}): LaneDepth => ({
  ...{ lane: name, waiting: 9, active: 0, delayed: 0, due: 0, failed: 0 },
  ...depth,
});

describe('which lane a worker asks next', () => {
  it('a new worker goes where the fewest work, to the older of two that are alike', () => {
    expect(lanesToAsk([lane(a, { active: 4 }), lane(b, { active: 2 }), lane(c, { active: 2 })])).toEqual([b, c, a]);
    expect(lanesToAsk([lane(a), lane(b)])).toEqual([a, b]);
  });

  it('its own comes first while it has chunks, however many work on it and however few on others', () => {
    const depths = [lane(a), lane(b, { waiting: 1, active: 80 })];
    expect(lanesToAsk(depths, { lane: b, inHand: new Map([[b, 2]]) })).toEqual([b, a]);
    expect(lanesToAsk([lane(a), lane(b, { waiting: 0, active: 80 })], { lane: b })).toEqual([a]);
  });

  it('a chunk that is to be tried again counts when its time has come', () => {
    const depths = (due: number) => [lane(a), lane(b, { waiting: 0, delayed: 1, due })];
    expect(lanesToAsk(depths(0), { lane: b })).toEqual([a]);
    expect(lanesToAsk(depths(1), { lane: b })).toEqual([b, a]);
  });

  it('after a long time it gives way to a run that nobody works on, alone or not', () => {
    const alone = { lane: a, isLong: true, inHand: new Map([[a, 2]]) };
    expect(lanesToAsk([lane(a, { active: 2 }), lane(b)], alone)).toEqual([b, a]);
    expect(lanesToAsk([lane(a, { active: 8 }), lane(b)], alone)).toEqual([b, a]);
    expect(lanesToAsk([lane(a, { active: 2 }), lane(b)], { ...alone, isLong: false })).toEqual([a, b]);
  });

  it('after a long time it goes where fewer work, and stays where they are shared evenly', () => {
    const long = { lane: a, isLong: true, inHand: new Map([[a, 2]]) };
    expect(lanesToAsk([lane(a, { active: 6 }), lane(b, { active: 2 })], long)).toEqual([b, a]);
    expect(lanesToAsk([lane(a, { active: 4 }), lane(b, { active: 2 })], long)[0]).toBe(a);
    expect(lanesToAsk([lane(a, { active: 2 }), lane(b, { active: 2 })], long)[0]).toBe(a);
  });

  it('groups of models of one run share the workers, and none is left for another group of the same run', () => {
    const [first, second] = [[0], [1]].map((models) => laneOf({ assignment: a, models }));
    expect(lanesToAsk([lane(first, { active: 2 }), lane(second)])).toEqual([second, first]);
    const long = { lane: first, isLong: true, inHand: new Map([[first, 2]]) };
    expect(lanesToAsk([lane(first, { active: 2 }), lane(second)], long)[0]).toBe(first);
    // Of two runs, the one with fewer workers in all its groups.
    expect(lanesToAsk([lane(first, { active: 2 }), lane(second), lane(b, { active: 1 })])[0]).toBe(b);
  });
});
