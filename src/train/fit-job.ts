import { openFeatureStore } from '../run/feature-store.ts';
import { defineJob, Interrupted } from '../run/jobs.ts';
import { fitRows, type LabelledRows, prepareRows, type TrainingPoint, toHead } from './head.ts';
import type { HeadRows, Split } from './head-plan.ts';
import { saveHead } from './head-store.ts';
import { chooseStrength } from './strength.ts';

export interface FitInit {
  readonly run: string;
  readonly d: number;
  readonly c: number;
  /** One fixed strength; else one is chosen. */
  readonly strength?: number;
}

export interface FitTask {
  readonly key: string;
  /** Tasks of one head share its features. */
  readonly head: string;
  readonly rows: HeadRows;
  readonly split: Split;
}

/** Trains heads and leaves them in the run folder. */
export const fitJob = defineJob<FitInit, FitTask, { key: string }>({
  name: 'fit',
  async open({ run, d, c, strength: given }, host) {
    const store = openFeatureStore(run, d);
    let loaded: { head: string; data: Float32Array } | undefined;
    return {
      async run({ key, head: name, rows, split }) {
        if (host.isStopping()) throw new Interrupted();
        if (loaded?.head !== name) {
          loaded = undefined;
          loaded = { head: name, data: store.read(rows.keys) };
        }
        const set: LabelledRows = { data: loaded.data, n: rows.keys.length, d, classes: rows.classes, c };
        const { strength, path } =
          given === undefined ? chooseStrength(set, split.inner) : { strength: given, path: [] };
        const training = prepareRows(set, split.training);
        const points: TrainingPoint[] = [];
        const curve = { points, set, validation: split.held };
        const { point, iterations, converged } = fitRows(training, { strength, curve });
        await saveHead(run, key, {
          head: toHead(training, point, strength),
          iterations,
          converged,
          curve: points,
          path,
        });
        return { key };
      },
      async close() {},
    };
  },
});
