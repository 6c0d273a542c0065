import { drawCounts, drawStratified, percentileInterval } from '../../stats/bootstrap.ts';
import type { LeastSquares } from '../../stats/fit.ts';
import { standardDeviation } from '../../stats/moments.ts';
import type { Interval } from '../../stats/proportion.ts';
import { randomFor } from '../../stats/random.ts';
import type { CollapsedAnswers } from './collapse.ts';
import { compact } from './gather.ts';

export interface ImageBootstrap {
  readonly unit: 'sample' | 'group';
  readonly units: number;
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
  readonly unit?: 'sample' | 'group';
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
  unit: asked,
  replicates: wanted,
  level,
  seed,
}: Inputs): ImageBootstrap | null {
  const unit = asked ?? (cells.group ? 'group' : 'sample');
  const column = unit === 'group' && cells.group ? cells.group : cells.sample;
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
  const behind = cellUnits(cells, codes, count, strata);
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
    unit,
    units: count,
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

/** The units behind each cell's right answers, and behind all of them where their number can change from draw to draw. */
interface CellUnits {
  readonly right: { starts: Uint32Array; units: Uint32Array };
  readonly all: { starts: Uint32Array; units: Uint32Array };
  /** Number of answers where every draw has as many: a cell that holds each unit of its class once. Else 0. */
  readonly fixed: Float64Array;
}

function cellUnits(
  { cell, correct, table }: CollapsedAnswers,
  unit: Uint32Array,
  units: number,
  strata: number[][] | undefined,
): CellUnits {
  const cells = table.rowCount;
  const all = unitsByCell(cell, unit, cells, () => true);
  const right = unitsByCell(cell, unit, cells, (i) => correct[i] === 1);
  const fixed = new Float64Array(cells);
  if (!strata) return { right, all, fixed };
  const inClass = new Uint32Array(units);
  for (const members of strata) for (const u of members) inClass[u] = members.length;
  const seenIn = new Int32Array(units).fill(-1);
  for (let c = 0; c < cells; c++) {
    const count = all.starts[c + 1] - all.starts[c];
    let complete = true;
    for (let p = all.starts[c]; p < all.starts[c + 1] && complete; p++) {
      const u = all.units[p];
      complete = inClass[u] === count && seenIn[u] !== c;
      seenIn[u] = c;
    }
    fixed[c] = complete ? count : 0;
  }
  return { right, all, fixed };
}

function unitsByCell(cell: Uint32Array, unit: Uint32Array, cells: number, wanted: (i: number) => boolean) {
  const starts = new Uint32Array(cells + 1);
  for (let i = 0; i < cell.length; i++) if (wanted(i)) starts[cell[i] + 1]++;
  for (let c = 0; c < cells; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  const units = new Uint32Array(starts[cells]);
  for (let i = 0; i < cell.length; i++) if (wanted(i)) units[next[cell[i]]++] = unit[i];
  return { starts, units };
}

function drawn({ starts, units }: CellUnits['all'], cell: number, counts: Uint16Array): number {
  let sum = 0;
  for (let p = starts[cell]; p < starts[cell + 1]; p++) sum += counts[units[p]];
  return sum;
}

/** The units of each class; undefined where a unit has answers of several classes. */
function strataOf(cells: CollapsedAnswers, unit: Uint32Array, count: number): number[][] | undefined {
  const { codes, levels } = cells.table.text('class');
  const classOf = new Int32Array(count).fill(-1);
  for (let i = 0; i < unit.length; i++) {
    const label = codes[cells.cell[i]];
    if (classOf[unit[i]] < 0) classOf[unit[i]] = label;
    else if (classOf[unit[i]] !== label) return undefined;
  }
  const members: number[][] = levels.map(() => []);
  for (let u = 0; u < count; u++) members[classOf[u]].push(u);
  return members.filter((units) => units.length > 0);
}
