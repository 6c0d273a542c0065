/** One model's answers in one way of using it: right or wrong, by scenario and sample. */
export type Outcomes = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/** A way of using the model that may help, and its answers. */
export interface RemedyTrial {
  readonly remedy: string;
  readonly title: string;
  readonly when: 'training' | 'test' | 'both';
  readonly outcomes: Outcomes;
}

/** Answers in both, of one scenario. */
export interface Pairs {
  readonly scenario: string;
  readonly samples: readonly string[];
  readonly plain: Uint8Array;
  readonly remedied: Uint8Array;
}

export function pairOutcomes(plain: Outcomes, remedied: Outcomes): Pairs[] {
  return [...plain].flatMap(([scenario, before]) => {
    const after = remedied.get(scenario);
    const samples = after ? [...before.keys()].filter((sample) => after.has(sample)) : [];
    if (!samples.length) return [];
    const flags = (from: ReadonlyMap<string, boolean>) =>
      Uint8Array.from(samples, (sample) => (from.get(sample) ? 1 : 0));
    return [{ scenario, samples, plain: flags(before), remedied: flags(after as ReadonlyMap<string, boolean>) }];
  });
}
