import type { FailureMode } from '../contracts/mining.ts';
import type { SaliencyRow } from '../contracts/saliency.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import { clusterFailures } from '../stats/cluster-failures.ts';
import { clusterShares } from '../stats/cluster-shares.ts';
import { benjaminiHochberg } from '../stats/multiple.ts';
import { confusionModes } from './confusion-modes.ts';
import { examplesOf, type FoundMode, leastPrompts } from './found-mode.ts';
import { codeItems, type PicturePool, type PoolItem, promptGroups } from './pool.ts';

export interface ModeSources {
  readonly predictions: ReadonlyMap<string, readonly string[]>;
  /** What `explain` measured of these pictures. */
  readonly saliency?: readonly SaliencyRow[];
  /** Of every picture, from the features of a network. */
  readonly clusters?: ArrayLike<number>;
}

/**
 * What wrong answers have in common: values of a property in whose pictures models fail more often than elsewhere. The
 * whole pool is looked at and every model of it, so that no choice of hard pictures makes a mode. Corrected for looking at
 * every value of every property (Benjamini and Hochberg, 1995); only those that are harder than the rest are listed.
 */
export function failureModes(
  pool: PicturePool,
  sources: ModeSources,
  { most = 60 }: { most?: number } = {},
): FailureMode[] {
  const share = failShare(pool);
  const groups = promptGroups(pool).of;
  const { items } = pool;
  const level = (by: FailureMode['by'], word: (item: PoolItem) => string | undefined) =>
    levelModes(by, { words: items.map(word), fails: share, groups, items });
  const confusions = confusionModes(pool, sources.predictions);
  const tested = [
    ...level('kind', ({ nuisance }) => nuisance),
    ...level('nuisance', ({ detail }) => detail),
    ...level('class', ({ label }) => shownLabel(label)),
    ...(sources.clusters ? clusterModes(pool, sources.clusters, share) : []),
    ...(sources.saliency ? saliencyModes(pool, sources.saliency) : []),
    ...confusions.found,
  ];
  // Wrong answers that a class never got were looked for too.
  const ps = [...tested.map(({ p }) => p), ...new Array<number>(confusions.neverFound).fill(1)];
  const corrected = benjaminiHochberg(ps);
  return tested
    .map((mode, i) => ({ ...mode, pCorrected: corrected[i] }))
    .filter(({ fails, elsewhere }) => fails > elsewhere)
    .sort((a, b) => a.pCorrected - b.pCorrected || (b.ratio ?? 1e9) - (a.ratio ?? 1e9))
    .slice(0, most);
}

interface LevelRows {
  readonly words: readonly (string | undefined)[];
  readonly fails: ArrayLike<number>;
  readonly groups: ArrayLike<number>;
  readonly items: readonly PoolItem[];
}

function levelModes(by: FailureMode['by'], { words, fails, groups, items }: LevelRows): FoundMode[] {
  const levels = [...new Set(words.filter((word) => word !== undefined))].sort();
  if (levels.length < 2) return [];
  const known = [...words.keys()].filter((i) => words[i] !== undefined);
  const at = (values: ArrayLike<number>) => known.map((i) => values[i]);
  const cluster = known.map((i) => levels.indexOf(words[i] as string));
  const found = clusterFailures({ fails: at(fails), sample: at(groups), cluster }, levels.length);
  return found.flatMap(({ fails: here, elsewhere, ratio, ci, p }, c) => {
    const own = known.filter((i) => words[i] === levels[c]);
    if (p === null || new Set(own.map((i) => groups[i])).size < leastPrompts) return [];
    const pictures = [...new Set(own.map((i) => items[i]))];
    const worst = own.toSorted((a, b) => fails[b] - fails[a]).map((i) => items[i]);
    return [
      {
        ...{ by, value: levels[c], pictures: pictures.length, fails: here, elsewhere, ratio, p, shares: [] },
        ci: ci && [...ci],
        examples: examplesOf(worst),
      },
    ];
  });
}

/** Clusters are made from features alone; what their pictures share gives them a name. */
function clusterModes(pool: PicturePool, clusters: ArrayLike<number>, fails: ArrayLike<number>): FoundMode[] {
  const { items } = pool;
  const groups = promptGroups(pool).of;
  const words = items.map((_, i) => String(clusters[i] + 1));
  const count = items.reduce((most, _, i) => Math.max(most, clusters[i] + 1), 0);
  const properties = [
    { of: 'class', values: items.map(({ label }) => shownLabel(label)), countedBy: groups },
    { of: 'nuisance', values: items.map(({ detail, nuisance }) => detail ?? nuisance), countedBy: groups },
  ] as const;
  const shares = clusterShares(properties, clusters, count);
  return levelModes('cluster', { words, fails, groups, items }).map((mode) => ({
    ...mode,
    shares: shares[Number(mode.value) - 1].map(({ value, share }) => ({ value, share })),
  }));
}

/** Where the saliency lies, answer by answer: each model's own map beside its own answer. */
function saliencyModes(pool: PicturePool, rows: readonly SaliencyRow[]): FoundMode[] {
  const place = new Map(pool.items.map(({ scenario, sample }, i) => [`${scenario}\u0000${sample}`, i]));
  const groups = codeItems(pool, ({ group }) => group).of;
  const known = rows.flatMap((row) => {
    const i = place.get(`${row.scenario}\u0000${row.sample}`);
    return i === undefined || Number.isNaN(row.reliance) ? [] : [{ row, i }];
  });
  const over = {
    fails: known.map(({ row }) => (row.correct ? 0 : 1)),
    groups: known.map(({ i }) => groups[i]),
    items: known.map(({ i }) => pool.items[i]),
  };
  const modes = (words: string[]) => levelModes('saliency', { ...over, words });
  return [
    ...modes(known.map(({ row }) => (row.reliance > 0.5 ? 'mostly off the object' : 'mostly on the object'))),
    ...modes(known.map(({ row }) => (row.pointing < 0.5 ? 'strongest off the object' : 'strongest on the object'))),
  ];
}

function failShare({ items, wrong }: PicturePool): Float64Array {
  return Float64Array.from(items, (_, i) => wrong.reduce((sum, ofModel) => sum + ofModel[i], 0) / wrong.length);
}
