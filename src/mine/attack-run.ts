import { UserError } from '../contracts/errors.ts';
import { isInShare } from '../contracts/queue.ts';
import type { Model } from '../models/define.ts';
import { openModel } from '../models/open.ts';
import { hashJson } from '../run/hash.ts';
import type { Inputs } from '../run/inputs.ts';
import { inFolder, type PartOptions } from '../run/part.ts';
import { loadPhotograph } from '../run/photograph.ts';
import { makePlan } from '../run/plan.ts';
import type { JobModel, PlannedSample } from '../run/predict-job.ts';
import { type Interval, wilson } from '../stats/proportion.ts';
import { randomFor } from '../stats/random.ts';
import { type AttackOutcome, readOutcome, writeOutcome } from './attack-store.ts';
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

export interface AttackOptions extends PartOptions {
  /** The run folder, in which the outcomes of attacks are kept. */
  readonly run: string;
  readonly pictures: number;
  readonly queries: number;
  readonly epsilon: number;
  readonly seed: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** One model before one photograph. */
interface Attack {
  readonly model: number;
  readonly planned: PlannedSample;
  readonly key: string;
}

/**
 * The Square attack on every classifier of a run, on the same photographs: one more measure beside the drops. Each
 * photograph's outcome is kept in the run folder, so that the same call continues after a kill and shares can be
 * joined.
 */
export function attackModels(inputs: Inputs, options: AttackOptions): Promise<AttackedModel[]> {
  // Shares may stand in one folder that several machines see.
  const sideBySide = options.sideBySide || options.share !== undefined;
  return inFolder(options.run, { sideBySide }, () => attackInto(inputs, options));
}

async function attackInto(inputs: Inputs, options: AttackOptions): Promise<AttackedModel[]> {
  const plan = await makePlan({ ...inputs, scenarios: inputs.scenarios.slice(0, 1) });
  const open = plan.models.filter(
    ({ description }) => description.runsIn === 'worker' && description.kind !== 'segmenter',
  );
  if (!open.length)
    throw new UserError('None of the models can be attacked: it takes classifiers that answer with scores');
  const plannedSamples = randomFor('attack', options.seed)
    .shuffle(plan.plannedSamples.filter(({ sample }) => !sample.scenario))
    .slice(0, options.pictures)
    .filter((_, place) => isInShare(place, options.share));
  const attacks = open.flatMap((job) => {
    const model = plan.models.indexOf(job);
    return plannedSamples
      .filter(({ targets }) => targets[model].length)
      .map((planned) => ({ model, planned, key: keyOf(job, planned, model, inputs, options) }));
  });
  const { run } = options;
  let known = await knownOutcomes(run, attacks);
  if (options.elsewhere && known.size < attacks.length) {
    const missing = new Set(attacks.flatMap(({ planned, key }) => (known.has(key) ? [] : [planned])));
    await options.elsewhere([...plannedSamples.keys()].filter((place) => missing.has(plannedSamples[place])));
    known = await knownOutcomes(run, attacks);
  }
  let done = known.size;
  for (const job of open) {
    const model = plan.models.indexOf(job);
    const missing = attacks.filter((attack) => attack.model === model && !known.has(attack.key));
    if (!missing.length) continue;
    const opened = await openModel(job.spec, { described: job.description, threads: inputs.threads, batch: 1 });
    try {
      for (const attack of missing) {
        if (options.signal?.aborted) break;
        const outcome = await attackOne(job.name, opened, attack, inputs, options);
        await writeOutcome(run, attack.key, outcome);
        known.set(attack.key, outcome);
        options.onProgress?.(++done, attacks.length);
      }
    } finally {
      await opened.close();
    }
  }
  if (options.signal?.aborted && known.size < attacks.length)
    throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
  return open.map((job) => {
    const model = plan.models.indexOf(job);
    const ofModel = attacks.filter((attack) => attack.model === model);
    return summarise(
      job.name,
      ofModel.flatMap(({ key }) => known.get(key) ?? []),
    );
  });
}

/** Everything that decides an outcome. */
const keyOf = (
  { name, description }: JobModel,
  { sample, sampleHash, targets }: PlannedSample,
  model: number,
  { photographs, version }: Inputs,
  { queries, epsilon, seed }: AttackOptions,
) =>
  hashJson({
    ...{ name, identity: description.identity, sample: sample.id, sampleHash, targets: targets[model] },
    ...{ photographs, version, queries, epsilon, seed },
  });

async function knownOutcomes(run: string, attacks: readonly Attack[]): Promise<Map<string, AttackOutcome>> {
  const found = await Promise.all(attacks.map(async ({ key }) => ({ key, outcome: await readOutcome(run, key) })));
  return new Map(found.flatMap(({ key, outcome }) => (outcome ? [[key, outcome] as const] : [])));
}

async function attackOne(
  name: string,
  model: Model,
  { model: index, planned: { sample, targets } }: Attack,
  { photographs }: Inputs,
  options: AttackOptions,
): Promise<AttackOutcome> {
  const accepted = new Set(targets[index]);
  const { image } = await loadPhotograph(sample, photographs);
  const { fooled, queries } = await squareAttack(
    image,
    async (changed) => {
      const question = { sample: sample.id, scenario: 'square-attack', label: sample.label, ...changed };
      const [answer] = await model.answer([await model.prepare(changed)], [question]);
      if (answer.kind !== 'scores') throw new UserError(`${name} answers without scores and cannot be attacked`);
      return marginOf(answer.scores, accepted);
    },
    { ...options, random: randomFor('attack', options.seed, sample.id) },
  );
  return { model: name, sample: sample.id, fooled, queries };
}

function summarise(model: string, outcomes: readonly AttackOutcome[]): AttackedModel {
  const asked = outcomes.length;
  const clean = outcomes.filter(({ fooled, queries }) => !(fooled && queries === 1)).length;
  const robust = outcomes.filter(({ fooled }) => !fooled).length;
  const spent = outcomes
    .filter(({ fooled, queries }) => fooled && queries > 1)
    .map(({ queries }) => queries)
    .sort((a, b) => a - b);
  return {
    model,
    pictures: asked,
    clean: clean / asked,
    robust: robust / asked,
    ci: wilson(robust, asked),
    medianQueries: spent.length ? spent[spent.length >> 1] : null,
  };
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
