import { expected, UserError } from '../contracts/errors.ts';
import type { SaliencyIndex } from '../contracts/saliency.ts';
import type { Sample } from '../contracts/sample.ts';
import { selectSamples } from '../dataset/splits.ts';
import { sqlText, withRunFolder } from '../run/folder/index.ts';

export interface WantedSamples {
  readonly samples?: readonly string[];
  readonly flipped?: boolean;
  readonly random?: number;
  readonly perClass?: number;
}

export interface ChosenSamples {
  readonly ids: ReadonlySet<string>;
  readonly selection: SaliencyIndex['selection'];
}

/** Samples explained where the user names no number: per class, and in all. */
const usualPerClass = 5;
const usualMost = 120;

interface ChooseContext {
  readonly run: string;
  readonly samples: readonly Sample[];
  readonly models: readonly string[];
  readonly scenarios: readonly string[];
  readonly seed: number;
}

export async function chooseSamples(wanted: WantedSamples, context: ChooseContext): Promise<ChosenSamples> {
  const { samples, seed } = context;
  const count = new Set(samples.map(({ id }) => id)).size;
  const idsOf = (chosen: readonly Sample[]) => new Set(chosen.map(({ id }) => id));
  if (wanted.samples?.length) {
    const ids = named(wanted.samples, samples);
    return { ids, selection: { kind: 'named', words: `${ids.size} samples by name` } };
  }
  if (wanted.flipped) {
    const all = await flippedSamples(context);
    const known = samples.filter(({ id }) => all.has(id));
    if (!known.length)
      throw new UserError(
        'No answer changed from right to wrong in this run, so --flipped has nothing to explain; leave it out',
        { exitCode: 1 },
      );
    const ids = idsOf(wanted.random ? selectSamples(known, { limit: wanted.random, seed }) : known);
    return {
      ids,
      selection: {
        kind: 'flipped',
        words: `${ids.size}${ids.size < all.size ? ` of the ${all.size}` : ''} samples whose answer turned from right to wrong (no fair sample of all)`,
      },
    };
  }
  if (wanted.random !== undefined) {
    const ids = idsOf(selectSamples(samples, { limit: wanted.random, seed }));
    return {
      ids,
      selection: { kind: 'random', words: `${ids.size} of ${count} samples, drawn from the classes in turn` },
    };
  }
  const ids = idsOf(
    selectSamples(samples, {
      sample: wanted.perClass ?? usualPerClass,
      limit: wanted.perClass ? undefined : usualMost,
      seed,
    }),
  );
  return ids.size === count
    ? { ids, selection: { kind: 'all', words: `all ${count} samples` } }
    : {
        ids,
        selection: {
          kind: 'stratified',
          words: `${ids.size} of ${count} samples, up to ${wanted.perClass ?? usualPerClass} of each class`,
        },
      };
}

function named(wanted: readonly string[], samples: readonly Sample[]): Set<string> {
  const known = new Set(samples.map(({ id }) => id));
  return new Set(
    wanted.map((name) => {
      if (known.has(name)) return name;
      const ending = [...known].filter((id) => id.endsWith(`/${name}`));
      if (ending.length === 1) return ending[0];
      throw expected(
        ending.length ? 'a name that only one sample has' : `a sample of the run, such as ${samples[0]?.id}`,
        '--samples',
        name,
      );
    }),
  );
}

/** Samples that some model had right on `original` and wrong under some scenario, of those asked for. */
async function flippedSamples({ run, models, scenarios }: ChooseContext): Promise<Set<string>> {
  const found = await withRunFolder(run, (folder) =>
    folder.query<{ sample: string }>(`
      WITH answers AS (
        SELECT model, scenario, sample, correct FROM predictions
        WHERE trained = '' AND model IN (${models.map(sqlText).join(', ')})
      )
      SELECT DISTINCT edited.sample FROM answers AS edited JOIN answers AS base
        ON base.scenario = 'original' AND base.model = edited.model AND base.sample = edited.sample
      WHERE edited.scenario IN (${scenarios.map(sqlText).join(', ')}) AND base.correct AND NOT edited.correct`),
  );
  return new Set(found.map(({ sample }) => sample));
}
