import type { PredictionRow } from '../contracts/prediction.ts';
import type { FeatureStore } from '../run/feature-store.ts';
import type { RunStore, StoredRow } from '../run/folder/index.ts';
import { hashJson } from '../run/hash.ts';
import { type OutputMap, toPredictionRow } from '../run/rows.ts';
import type { FeaturePlan } from './feature-plan.ts';
import type { FittedHead } from './fit-heads.ts';
import { predictHead, unseenScore } from './head.ts';
import { rowsOf } from './head-plan.ts';
import { loadHead } from './head-store.ts';

/** Right answers of one head in one scenario, by fold. */
export interface HeadTally {
  readonly trained: string;
  readonly tested: string;
  readonly right: readonly number[];
  readonly count: readonly number[];
}

export interface PredictHeadsOptions {
  readonly run: string;
  readonly model: string;
  readonly plan: FeaturePlan;
  readonly features: FeatureStore;
  readonly store: RunStore;
  readonly heads: readonly FittedHead[];
  readonly classes: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Every head on every scenario, each image answered by the head that never saw it. Writes the rows that are missing. */
export async function predictHeads(options: PredictHeadsOptions): Promise<HeadTally[]> {
  const { run, model, plan, features, store, heads, classes, signal, onProgress } = options;
  const map: OutputMap = { outputs: 'logits', own: classes.map((_, i) => i), names: [...classes] };
  const scenarios = plan.wanted.filter(({ view }) => view === 'plain').map(({ scenario }) => scenario);
  const tested = scenarios.map((scenario) => {
    const rows = rowsOf(plan, { name: scenario, scenarios: [scenario] }, features.has);
    return { scenario, rows, identity: hashJson(rows.keys) };
  });
  const conditionOf = (head: FittedHead, identity: string) => hashJson({ heads: head.keys, tested: identity, model });
  await store.removeHeads(
    'predictions',
    model,
    heads.flatMap((head) => tested.map(({ identity }) => conditionOf(head, identity))),
  );
  const stored = new Map<string, number>();
  await store.forEachKey('predictions', (condition) => stored.set(condition, (stored.get(condition) ?? 0) + 1));

  const tallies: HeadTally[] = [];
  for (const [s, { scenario, rows, identity }] of tested.entries()) {
    const data = features.read(rows.keys);
    const byFold = Array.from({ length: plan.folds }, (_, fold) =>
      Array.from(rows.folds.keys()).filter((row) => rows.folds[row] === fold),
    );
    const fresh: StoredRow<PredictionRow>[] = [];
    for (const [h, head] of heads.entries()) {
      if (signal?.aborted) return tallies;
      const condition = conditionOf(head, identity);
      const known = stored.get(condition) === rows.keys.length;
      const right: number[] = [];
      for (const [fold, own] of byFold.entries()) {
        const scores = predictHead(
          (await loadHead(run, head.keys[fold])).head,
          { data, n: rows.keys.length, d: features.d },
          own,
        );
        const answers = own.map((row, i): StoredRow<PredictionRow> => {
          const { sample, sampleHash, class: truth } = plan.plannedSamples[rows.sampleIndexes[row]];
          const context = { model, scenario, sample, fold, targets: [truth], map };
          const own = scores.subarray(i * classes.length, (i + 1) * classes.length);
          const part = Float32Array.from(own, (score) => Math.max(score, unseenScore));
          return {
            ...toPredictionRow({ kind: 'scores', scores: part }, context),
            trained: head.name,
            condition,
            sampleHash,
          };
        });
        right.push(answers.filter(({ correct }) => correct).length);
        if (!known) fresh.push(...answers);
      }
      tallies.push({ trained: head.name, tested: scenario, right, count: byFold.map(({ length }) => length) });
      onProgress?.(s * heads.length + h + 1, heads.length * tested.length);
    }
    // A condition written in part, by a kill between two shards, is written anew.
    const partial = new Set(fresh.map(({ condition }) => condition).filter((condition) => stored.has(condition)));
    await store.remove(
      'predictions',
      fresh.filter(({ condition }) => partial.has(condition)).map(({ condition, sample }) => ({ condition, sample })),
    );
    await store.write('predictions', fresh);
  }
  return tallies;
}
