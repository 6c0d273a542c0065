import { join } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { MiningRecord } from '../contracts/mining.ts';
import type { Random } from '../contracts/random.ts';
import { replaceFile } from '../formats/replace-file.ts';
import { withRunFolder } from '../run/folder/index.ts';
import { hashJson } from '../run/hash.ts';
import { randomFor } from '../stats/random.ts';
import { auditHardSet } from './bias-audit.ts';
import { errorConsistency } from './error-consistency.ts';
import { failureModes } from './failure-modes.ts';
import { freshSeed } from './fresh-seed.ts';
import { chooseHardSet, type HardSet } from './hard-set.ts';
import { writeThumbnails } from './mined-thumbnails.ts';
import { type PictureLooks, pictureLooks } from './picture-looks.ts';
import { onlyModels, type PicturePool } from './pool.ts';
import { clusterFeatures } from './pool-clusters.ts';
import { type PoolFeatureOptions, poolFeatures } from './pool-features.ts';
import { type ReadPool, readPool } from './read-pool.ts';
import { sharedConfusions } from './shared-confusions.ts';
import { surrogateCurve } from './surrogate-curve.ts';
import { measureTransfer } from './transfer.ts';
import { transferMatrix } from './transfer-matrix.ts';
import { transferModel } from './transfer-model.ts';

export interface MineOptions {
  readonly run: string;
  readonly surrogates: readonly string[];
  readonly targets: readonly string[];
  readonly atLeast?: number;
  readonly perClass?: number;
  readonly perNuisance?: number;
  readonly size?: number;
  /** Choose among the pictures of this seed alone; others are kept to see what a fresh seed shows. */
  readonly onSeed?: number;
  readonly seed: number;
  /** The table with nuisances and seeds, where the run's own data is not it. */
  readonly factors?: string;
  /** The network by whose features pictures are grouped, and who computes them. */
  readonly grouping?: Omit<PoolFeatureOptions, 'run'>;
}

/** Chooses the hard set, measures what it shows, and writes `mining.json` into the run folder. */
export async function mineRun(options: MineOptions): Promise<MiningRecord> {
  const read = await withRunFolder(options.run, (folder) => readPool(folder, options));
  const features = options.grouping && (await poolFeatures(read.pool, { ...options.grouping, run: options.run }));
  const clusters = features && clusterFeatures(features);
  const { chosen } = choose(read.pool, { ...options, onSeed: seedOf(read.pool, options) });
  const looks = await pictureLooks(
    chosen.map((i) => read.pool.items[i]),
    options.run,
  );
  const described = describeMining({ ...read, clusters, looks }, options);
  const record = { ...described, thumbnails: await thumbnailsOf(described, options.run) };
  await replaceFile(join(options.run, 'mining.json'), `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

/** None where the run's data is gone or not said: the numbers need no pictures. */
const thumbnailsOf = (record: MiningRecord, run: string): Promise<MiningRecord['thumbnails']> =>
  writeThumbnails(record, run).catch((error: unknown) => {
    if (error instanceof UserError) return [];
    throw error;
  });

export function describeMining(
  read: ReadPool & { readonly clusters?: ArrayLike<number>; readonly looks?: PictureLooks },
  options: MineOptions,
): MiningRecord {
  const { pool, incomplete, predictions, saliency, clusters } = read;
  const { run, surrogates, targets, seed } = options;
  const onSeed = seedOf(pool, options);
  const set = choose(pool, { ...options, onSeed });
  const hard = new Uint8Array(pool.items.length);
  for (const i of set.chosen) hard[i] = 1;
  const random = (what: string) => randomFor('mine', seed, what);
  const roleOf = (model: string) =>
    surrogates.includes(model)
      ? ('surrogate' as const)
      : targets.includes(model)
        ? ('target' as const)
        : ('other' as const);
  const own = onSeed === null ? pool : ofSeed(pool, onSeed);
  const ownHard = onSeed === null ? hard : hard.filter((_, i) => pool.items[i].seed === onSeed);
  return {
    version: 1,
    run,
    time: new Date().toISOString(),
    seed,
    pool: { pictures: pool.items.length, incomplete, models: [...pool.models] },
    selection: {
      surrogates: [...surrogates],
      targets: [...targets],
      atLeast: set.atLeast,
      onSeed,
      perClass: options.perClass ?? null,
      perNuisance: options.perNuisance ?? null,
      size: options.size ?? null,
      candidates: set.candidates,
      leftOut: set.leftOut,
      answersHash: hashOfAnswers(pool, surrogates),
    },
    chosen: set.chosen.map((i) => {
      const { sample, scenario, label, nuisance, seed: made = null } = pool.items[i];
      return {
        sample,
        scenario,
        label,
        nuisance,
        seed: made,
        failedBy: surrogates.filter((name) => isWrong(pool, name, i)),
      };
    }),
    transfer: set.chosen.length
      ? measureTransfer(own, ownHard, pool.models, { random: random('transfer') }).map((row) => ({
          ...row,
          role: roleOf(row.model),
        }))
      : [],
    matrix: transferMatrix(own, pool.models, { random: random('matrix'), most: surrogates.length }),
    curve: surrogateCurve(own, surrogates, targets, { random: random('curve') }) as MiningRecord['curve'],
    consistency: errorConsistency(own).map((row) => ({ ...row, kappa: Number.isNaN(row.kappa) ? null : row.kappa })),
    freshSeed: onSeed !== null && set.chosen.length ? onOtherSeeds(pool, hard, onSeed, random('fresh')) : null,
    audit: auditHardSet(own, ownHard),
    confusions: sharedConfusions(pool, hard, predictions),
    modes: failureModes(pool, { predictions, saliency, clusters }),
    modesMissing: [
      ...(clusters ? [] : ['clusters of pictures that look alike: give a network with --backbone FILE.onnx']),
      ...(saliency ? [] : ['where the saliency lies: sceneshift explain RUN, on pictures with masks']),
    ],
    fails: failsByNuisance(pool),
    thumbnails: [],
    transferModel: whatTransfers(read, set, options),
  };
}

/** Chooses again from the surrogates' answers alone: true where record and run still agree. */
export async function verifyMining(record: MiningRecord, run: string, factors?: string): Promise<boolean> {
  const { pool } = await withRunFolder(run, (folder) => readPool(folder, { factors }));
  const { surrogates, targets, atLeast, perClass, perNuisance, size, onSeed, answersHash } = record.selection;
  if (hashOfAnswers(pool, surrogates) !== answersHash) return false;
  // The pool is cut down to the surrogates first: nothing of the targets can reach the choice.
  const seen = onlyModels(pool, surrogates);
  const set = choose(seen, {
    ...{ surrogates, atLeast, onSeed, seed: record.seed, targets: [] },
    ...{ perClass: perClass ?? undefined, perNuisance: perNuisance ?? undefined, size: size ?? undefined },
  });
  const key = ({ sample, scenario }: { sample: string; scenario: string }) => `${scenario}\u0000${sample}`;
  const again = new Set(set.chosen.map((i) => key(pool.items[i])));
  const overlap = surrogates.some((name) => targets.includes(name));
  return !overlap && again.size === record.chosen.length && record.chosen.every((item) => again.has(key(item)));
}

function failsByNuisance({ items, models, wrong }: PicturePool): MiningRecord['fails'] {
  const nuisances = [...new Set(items.map(({ nuisance }) => nuisance))].sort();
  return models.flatMap((model, m) =>
    nuisances.map((nuisance) => {
      const own = [...items.keys()].filter((i) => items[i].nuisance === nuisance);
      return { model, nuisance, n: own.length, wrong: own.reduce((sum, i) => sum + wrong[m][i], 0) };
    }),
  );
}

type ChooseOptions = Omit<MineOptions, 'run' | 'onSeed'> & { readonly onSeed: number | null };

function choose(pool: PicturePool, options: ChooseOptions): HardSet {
  const { onSeed, seed } = options;
  const places = [...pool.items.keys()].filter((i) => onSeed === null || pool.items[i].seed === onSeed);
  const own = onSeed === null ? pool : ofSeed(pool, onSeed);
  const set = chooseHardSet(own, { ...options, random: randomFor('mine', seed, 'choose') });
  return { ...set, chosen: set.chosen.map((i) => places[i]) };
}

function ofSeed({ items, models, wrong }: PicturePool, seed: number): PicturePool {
  const kept = items.map((item) => item.seed === seed);
  return {
    items: items.filter((_, i) => kept[i]),
    models,
    wrong: wrong.map((ofModel) => ofModel.filter((_, i) => kept[i])),
  };
}

const seedOf = (pool: PicturePool, { onSeed }: MineOptions) => onSeed ?? firstOfSeveralSeeds(pool);

/** With several seeds of the same prompts the choice is made on the first, and the others tell luck from difficulty. */
function firstOfSeveralSeeds({ items }: PicturePool): number | null {
  const seeds = [...new Set(items.map(({ seed }) => seed))];
  if (seeds.length < 2 || seeds.includes(undefined)) return null;
  return Math.min(...(seeds as number[]));
}

/** Null where the prompts chosen have no picture of another seed. */
function onOtherSeeds(pool: PicturePool, hard: Uint8Array, seed: number, random: Random) {
  if (!pool.items.some((item) => item.seed !== undefined && item.seed !== seed)) return null;
  const rows = freshSeed(pool, hard, pool.models, { seed, random });
  return rows.every(({ freshSeed: fresh }) => [fresh.estimate, ...fresh.ci].every(Number.isFinite)) ? rows : null;
}
const isWrong = ({ models, wrong }: PicturePool, model: string, i: number) => wrong[models.indexOf(model)][i] === 1;

const hashOfAnswers = (pool: PicturePool, surrogates: readonly string[]) =>
  hashJson(
    surrogates.map((name) => [
      name,
      pool.items.map(({ scenario, sample }, i) => [scenario, sample, isWrong(pool, name, i)]),
    ]),
  );

/** What makes a shared failure of the surrogates a failure of the targets too. `looks`: of the chosen pictures. */
function whatTransfers(
  { pool, beliefs, looks = {} }: ReadPool & { readonly looks?: PictureLooks },
  set: HardSet,
  { surrogates, targets }: MineOptions,
) {
  if (set.chosen.length < 30 || !targets.length) return [];
  const wrong = targets.map((name) => Uint8Array.from(set.chosen, (i) => pool.wrong[pool.models.indexOf(name)][i]));
  // A target that fails all of them or none cannot show which pictures transfer.
  const telling = wrong.filter((of) => of.some((value) => value) && of.some((value) => !value));
  if (!telling.length) return [];
  const belief = (i: number) =>
    surrogates.reduce((sum, name) => sum + (beliefs.get(name)?.[i] ?? Number.NaN), 0) / surrogates.length;
  const measured = Object.entries({ 'belief in the truth': set.chosen.map(belief), ...looks }).filter(([, values]) =>
    values.every(Number.isFinite),
  );
  const features = set.chosen.map((i, place) => ({
    numbers: Object.fromEntries(measured.map(([name, values]) => [name, values[place]])),
    words: { nuisance: pool.items[i].nuisance },
  }));
  return transferModel(features, telling);
}
