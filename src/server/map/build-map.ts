import { availableParallelism } from 'node:os';
import type { RunColumns } from '../../contracts/explore/columns.ts';
import type { ModelConfig } from '../../contracts/model-config.ts';
import { createPool } from '../../run/pool.ts';
import { randomFor } from '../../stats/random.ts';
import { openBackbone, writeBackbone } from '../../train/backbone.ts';
import { featureJob } from '../../train/feature-job.ts';
import { cacheFolder } from '../cache-folder.ts';
import type { Scenes } from '../scenes.ts';
import { layoutJob } from './layout-job.ts';

/** Some variants of a run, laid out by what a network sees in them. */
export interface BuiltMap {
  readonly layer: string;
  /** Variants of the columns. */
  readonly variants: Uint32Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly cluster: Int32Array;
}

export interface BuildOptions {
  readonly columns: RunColumns;
  readonly scenes: Scenes;
  readonly spec: ModelConfig;
  readonly onProgress: (step: string, done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/** More than this and the map takes minutes and shows no more; photographs are then drawn at random, each with all its scenarios. */
const mostVariants = 6000;
const samplesPerTask = 2;

/** The features are those that `train` reads: the network up to its penultimate layer, on the variants as the run made them. */
export async function buildMap({ columns, scenes, spec, onProgress, signal }: BuildOptions): Promise<BuiltMap> {
  const backbone = await openBackbone(spec, { offline: true });
  const { description, tap } = backbone;
  const places = new Map(scenes.samples.map(({ id, scenario }, i) => [`${id}\n${scenario ?? ''}`, i]));
  const chosen = chooseVariants(columns);
  const bySample = new Map<number, { variant: number; wanted: number }[]>();
  for (const variant of chosen) {
    const [id, scenario] = [
      columns.samples[columns.variantSample[variant]],
      columns.scenarios[columns.variantScenario[variant]],
    ];
    const sampleIndex = places.get(`${id}\n${scenario}`) ?? places.get(`${id}\n`);
    if (sampleIndex === undefined) continue;
    const own = bySample.get(sampleIndex);
    const one = { variant, wanted: columns.variantScenario[variant] };
    if (own) own.push(one);
    else bySample.set(sampleIndex, [one]);
  }
  const { seed, photographs, backgrounds, generated } = scenes.init;
  const pool = await createPool(
    featureJob,
    {
      plannedSamples: scenes.samples.map((sample) => ({ sample, fold: 0 })),
      wanted: columns.scenarios.map((scenario) => ({ scenario, view: 'plain' })),
      folds: 1,
      network: {
        path: await writeBackbone(cacheFolder(), backbone),
        quantized: description.onnx.quantized,
        input: description.onnx.input,
        preprocessing: description.preprocessing,
        batch: description.batch,
        features: tap.features,
      },
      threadsPerModel: 1,
      seed,
      photographs,
      backgrounds: backgrounds && [backgrounds],
      generated,
    },
    { threads: availableParallelism() },
  );
  const rows = new Map<number, Float32Array>();
  let done = 0;
  try {
    const work = [...bySample].map(([sampleIndex, own]) => ({ sampleIndex, wanted: own.map(({ wanted }) => wanted) }));
    const tasks = Array.from({ length: Math.ceil(work.length / samplesPerTask) }, (_, shard) => ({
      shard,
      work: work.slice(shard * samplesPerTask, (shard + 1) * samplesPerTask),
    }));
    await pool.forEach(
      tasks,
      (result) => {
        for (const [i, { sampleIndex, wanted }] of result.made.entries()) {
          const variant = bySample.get(sampleIndex)?.find((one) => one.wanted === wanted)?.variant;
          if (variant !== undefined) rows.set(variant, result.rows.slice(i * tap.features, (i + 1) * tap.features));
        }
        done += result.made.length;
        onProgress('features', done, chosen.length);
      },
      signal,
    );
  } finally {
    await pool.close();
  }
  signal.throwIfAborted();
  const variants = Uint32Array.from([...rows.keys()].sort((a, b) => a - b));
  const whole = new Float32Array(variants.length * tap.features);
  for (const [i, variant] of variants.entries()) whole.set(rows.get(variant) as Float32Array, i * tap.features);
  onProgress('map', 0, 1);
  const { map, cluster } = await layOut(whole, variants.length, tap.features);
  const axis = (which: number) => Float32Array.from(variants, (_, i) => map[2 * i + which]);
  return { layer: tap.layer, variants, x: axis(0), y: axis(1), cluster };
}

async function layOut(rows: Float32Array, n: number, d: number) {
  const pool = await createPool(layoutJob, {}, { threads: 1 });
  try {
    let found: { map: Float32Array; cluster: Int32Array } | undefined;
    await pool.forEach([{ rows, n, d }], (result) => {
      found = result;
    });
    if (!found) throw new Error('the map was not made');
    return found;
  } finally {
    await pool.close();
  }
}

function chooseVariants({ samples, variantSample }: RunColumns): number[] {
  const all = Array.from({ length: variantSample.length }, (_, v) => v);
  if (all.length <= mostVariants) return all;
  const count = Math.max(1, Math.floor((samples.length * mostVariants) / all.length));
  const kept = new Set(
    randomFor('map', 'samples')
      .shuffle(samples.map((_, s) => s))
      .slice(0, count),
  );
  return all.filter((v) => kept.has(variantSample[v]));
}
