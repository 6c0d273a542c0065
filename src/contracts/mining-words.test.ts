import { describe, expect, it } from 'vitest';
import type { FailureMode, MiningRecord } from './mining.ts';
import { freshSentence, modeAdvice, modeName, shownModes, transferSentence } from './mining-words.ts';

const fall = (low: number, high: number) => ({ estimate: (low + high) / 2, ci: [low, high] });
const recordOf = (rows: { model: string; role?: string; ci: [number, number] }[], more = {}) =>
  ({
    transfer: rows.map(({ model, role = 'target', ci }) => ({ model, role, fall: fall(...ci) })),
    freshSeed: null,
    ...more,
  }) as unknown as MiningRecord;

describe('what is said of a mined set', () => {
  it('tells transfer from its opposite and from not knowing', () => {
    expect(transferSentence(recordOf([{ model: 't', ci: [0.1, 0.3] }]))).toMatch(/^The failures transfer to t:/);
    expect(transferSentence(recordOf([{ model: 't', ci: [-0.3, -0.1] }]))).toMatch(/^t do better here/);
    expect(transferSentence(recordOf([{ model: 't', ci: [-0.1, 0.3] }]))).toMatch(/to t is not settled/);
    const onlySurrogates = recordOf([{ model: 's', role: 'surrogate', ci: [0.1, 0.3] }]);
    expect(transferSentence(onlySurrogates)).toMatch(/No model was held out/);
  });

  it('says what a fresh seed shows, or that there is none', () => {
    const held = [{ model: 't', ci: [0.1, 0.3] as [number, number] }];
    expect(freshSentence(recordOf(held))).toMatch(/is not known/);
    const freshSeed = [{ model: 't', freshSeed: fall(0.05, 0.15) }];
    expect(freshSentence(recordOf(held, { freshSeed }))).toMatch(/t 10\.0 \(5\.0 to 15\.0\) points lost/);
  });

  it('names modes, and shows only those beyond chance', () => {
    const mode = {
      by: 'cluster',
      value: '3',
      shares: [{ value: 'vase', share: 0.75 }],
      pCorrected: 0.2,
    } as FailureMode;
    expect(modeName(mode)).toBe('look-alikes: cluster 3 (vase 75 %)');
    expect(modeAdvice({ ...mode, by: 'nuisance', value: 'texture: striped' })).toMatch(/with texture: striped/);
    expect(shownModes({ modes: [mode] } as MiningRecord)).toEqual([]);
    expect(shownModes({ modes: [{ ...mode, pCorrected: 0.01 }] } as MiningRecord)).toHaveLength(1);
  });
});
