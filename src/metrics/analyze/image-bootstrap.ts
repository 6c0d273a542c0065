import { drawCounts, drawStratified, percentileInterval } from '../../stats/bootstrap.ts';
import type { LeastSquares } from '../../stats/fit.ts';
import { standardDeviation } from '../../stats/moments.ts';
import type { Interval } from '../../stats/proportion.ts';
import { randomFor } from '../../stats/random.ts';
import type { CollapsedAnswers } from './collapse.ts';
import { compact } from './gather.ts';

export interface ImageBootstrap {
  readonly cluster: 'sample' | 'group';
  readonly clusters: number;
  readonly replicates: number;
  readonly seed: number;
  /** Per kept coefficient. */
  readonly coefficients: { se: number; ci: Interval }[];
  /** Per term. */
  readonly shares: Interval[] | null;
}

interface Inputs {
  readonly cells: CollapsedAnswers;
  /** Fitted rows as cells. */
  readonly rows: Uint32Array;
  readonly fit: LeastSquares;
  /** Shares of the terms as a function of the coefficients. */
  readonly shares: ((beta: Float64Array) => Float64Array) | null;
  readonly cluster?: 'sample' | 'group';
  readonly replicates?: number;
  readonly level: number;
  readonly seed: number;
}

/** Answers looked at in all resamples together; about a second. */
const budget = 2e8;

/**
 * Errors that respect how the data came about: images are drawn anew, all their answers with them, cells are averaged
 * again and the same least squares is applied. Draws keep the number of images of each class where images have one class.
 */
export function imageBootstrap({
  cells,
  rows,
  fit,
  shares,
  cluster: asked,
  replicates: wanted,
  level,
  seed,
}: Inputs): ImageBootstrap | null {
  const cluster = asked ?? (cells.group ? 'group' : 'sample');
  const column = cluster === 'group' && cells.group ? cells.group : cells.sample;
  const { codes, count } = compact(column.codes, column.levels.length);
  const affordable = Math.floor(budget / Math.max(cells.cell.length, 20 * fit.n));
  const replicates = wanted ?? Math.max(199, Math.min(1999, affordable));
  if (replicates < 2 || count < 2 || (wanted === undefined && affordable < 20)) return null;
  const strata = strataOf(cells, codes, count);
  const random = randomFor('analyze', seed);
  const counts = new Uint16Array(count);
  const observed = cells.table.numbers('accuracy');
  const draws = fit.kept.map(() => new Float64Array(replicates));
  const shareDraws: Float64Array[] = [];
  const behind = cellClusters(cells, codes, count, strata);
  const y = new Float64Array(rows.length);
  for (let b = 0; b < replicates; b++) {
    if (strata) drawStratified(random, strata, counts);
    else drawCounts(random, counts);
    for (let i = 0; i < rows.length; i++) {
      const cell = rows[i];
      // A cell none of whose images was drawn keeps its value.
      const total = behind.fixed[cell] || drawn(behind.all, cell, counts);
      const value = total > 0 ? drawn(behind.right, cell, counts) / total : observed[cell];
      y[i] = value;
    }
    const beta = fit.solve(y);
    for (const [k, value] of beta.entries()) draws[k][b] = value;
    if (shares) shareDraws.push(shares(beta));
  }
  return {
    cluster,
    clusters: count,
    replicates,
    seed,
    coefficients: draws.map((values) => ({ se: standardDeviation(values), ci: percentileInterval(values, level) })),
    shares: shareDraws.length
      ? Array.from(shareDraws[0], (_, t) =>
          percentileInterval(
            shareDraws.map((row) => row[t]),
            level,
          ),
        )
      : null,
  };
}

/** The clusters behind each cell's right answers, and behind all of them where their number can change from draw to draw. */
interface CellClusters {
  readonly right: { starts: Uint32Array; clusters: Uint32Array };
  readonly all: { starts: Uint32Array; clusters: Uint32Array };
  /** Number of answers where every draw has as many: a cell that holds each cluster of its class once. Else 0. */
  readonly fixed: Float64Array;
}

function cellClusters(
  { cell, correct, table }: CollapsedAnswers,
  cluster: Uint32Array,
  clusters: number,
  strata: number[][] | undefined,
): CellClusters {
  const cells = table.rowCount;
  const all = clustersByCell(cell, cluster, cells, () => true);
  const right = clustersByCell(cell, cluster, cells, (i) => correct[i] === 1);
  const fixed = new Float64Array(cells);
  if (!strata) return { right, all, fixed };
  const inClass = new Uint32Array(clusters);
  for (const members of strata) for (const u of members) inClass[u] = members.length;
  const seenIn = new Int32Array(clusters).fill(-1);
  for (let c = 0; c < cells; c++) {
    const count = all.starts[c + 1] - all.starts[c];
    let complete = true;
    for (let p = all.starts[c]; p < all.starts[c + 1] && complete; p++) {
      const u = all.clusters[p];
      complete = inClass[u] === count && seenIn[u] !== c;
      seenIn[u] = c;
    }
    fixed[c] = complete ? count : 0;
  }
  return { right, all, fixed };
}

function clustersByCell(cell: Uint32Array, cluster: Uint32Array, cells: number, wanted: (i: number) => boolean) {
  const starts = new Uint32Array(cells + 1);
  for (let i = 0; i < cell.length; i++) if (wanted(i)) starts[cell[i] + 1]++;
  for (let c = 0; c < cells; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  const clusters = new Uint32Array(starts[cells]);
  for (let i = 0; i < cell.length; i++) if (wanted(i)) clusters[next[cell[i]]++] = cluster[i];
  return { starts, clusters };
}

function drawn({ starts, clusters }: CellClusters['all'], cell: number, counts: Uint16Array): number {
  let sum = 0;
  for (let p = starts[cell]; p < starts[cell + 1]; p++) sum += counts[clusters[p]];
  return sum;
}

/** The clusters of each class; undefined where a cluster has answers of several classes. */
function strataOf(cells: CollapsedAnswers, cluster: Uint32Array, count: number): number[][] | undefined {
  const { codes, levels } = cells.table.text('class');
  const classOf = new Int32Array(count).fill(-1);
  for (let i = 0; i < cluster.length; i++) {
    const label = codes[cells.cell[i]];
    if (classOf[cluster[i]] < 0) classOf[cluster[i]] = label;
    else if (classOf[cluster[i]] !== label) return undefined;
  }
  const members: number[][] = levels.map(() => []);
  for (let u = 0; u < count; u++) members[classOf[u]].push(u);
  return members.filter((clusters) => clusters.length > 0);
}
