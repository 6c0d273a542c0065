import { UserError } from '../contracts/errors.ts';
import { openModel } from '../models/open.ts';
import type { Inputs } from '../run/inputs.ts';
import { loadPhotograph } from '../run/photograph.ts';
import { makePlan } from '../run/plan.ts';
import { type Interval, wilson } from '../stats/proportion.ts';
import { randomFor } from '../stats/random.ts';
import { squareAttack } from './square-attack.ts';

export interface AttackedModel {
  readonly model: string;
  readonly pictures: number;
  /** Right as photographed. */
  readonly clean: number;
  /** Still right after the attack. */
  readonly robust: number;
  readonly ci: Interval;
  /** Median questions that fooled it, over the pictures it had right and lost. */
  readonly medianQueries: number | null;
}

export interface AttackOptions {
  readonly pictures: number;
  readonly queries: number;
  readonly epsilon: number;
  readonly seed: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The Square attack on every classifier of a run, on the same photographs: one more measure beside the drops. */
export async function attackModels(inputs: Inputs, options: AttackOptions): Promise<AttackedModel[]> {
  const plan = await makePlan({ ...inputs, scenarios: inputs.scenarios.slice(0, 1) });
  const open = plan.models.filter(
    ({ description }) => description.runsIn === 'worker' && description.kind !== 'segmenter',
  );
  if (!open.length)
    throw new UserError('None of the models can be attacked: it takes classifiers that answer with scores');
  const plannedSamples = randomFor('attack', options.seed)
    .shuffle(plan.plannedSamples.filter(({ sample }) => !sample.scenario))
    .slice(0, options.pictures);
  const results: AttackedModel[] = [];
  let done = 0;
  for (const job of open) {
    const index = plan.models.indexOf(job);
    const model = await openModel(job.spec, { described: job.description, threads: inputs.threads, batch: 1 });
    const queries: number[] = [];
    let [clean, robust, asked] = [0, 0, 0];
    try {
      for (const { sample, targets } of plannedSamples) {
        if (options.signal?.aborted) break;
        const accepted = new Set(targets[index]);
        if (accepted.size) {
          const { image } = await loadPhotograph(sample, inputs.photographs);
          const { fooled, queries: used } = await squareAttack(
            image,
            async (changed) => {
              const question = { sample: sample.id, scenario: 'square-attack', label: sample.label, ...changed };
              const [answer] = await model.answer([await model.prepare(changed)], [question]);
              if (answer.kind !== 'scores')
                throw new UserError(`${job.name} answers without scores and cannot be attacked`);
              return marginOf(answer.scores, accepted);
            },
            { ...options, random: randomFor('attack', options.seed, sample.id) },
          );
          asked++;
          if (!(fooled && used === 1)) clean++;
          if (!fooled) robust++;
          else if (used > 1) queries.push(used);
        }
        options.onProgress?.(++done, open.length * plannedSamples.length);
      }
    } finally {
      await model.close();
    }
    const sorted = queries.sort((a, b) => a - b);
    results.push({
      model: job.name,
      pictures: asked,
      clean: clean / asked,
      robust: robust / asked,
      ci: wilson(robust, asked),
      medianQueries: sorted.length ? sorted[sorted.length >> 1] : null,
    });
  }
  return results;
}

/** The best right score minus the best wrong one. */
export function marginOf(scores: Float32Array, accepted: ReadonlySet<number>): number {
  let [right, wrong] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < scores.length; i++) {
    if (accepted.has(i)) right = Math.max(right, scores[i]);
    else wrong = Math.max(wrong, scores[i]);
  }
  return right - wrong;
}
