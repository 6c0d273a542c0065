/** A column of a design; `low` holds what rounding took from the values, where known (powers, products). */
export interface DesignColumn {
  readonly values: Float64Array;
  readonly low?: Float64Array;
  /** Where the column is nothing but zeros and ones: the rows of the ones. Spares large designs their zeros. */
  readonly ones?: Uint32Array;
}

/** Zeros and ones; the values are made when somebody asks for them. */
export function indicatorColumn(n: number, ones: Uint32Array): DesignColumn {
  let made: Float64Array | undefined;
  return {
    ones,
    get values() {
      if (!made) {
        made = new Float64Array(n);
        for (const i of ones) made[i] = 1;
      }
      return made;
    },
  };
}

export const isZeroColumn = ({ ones, values }: DesignColumn): boolean =>
  ones ? ones.length === 0 : values.every((value) => value === 0);

/** The rows of a design by their non-zero entries; a row of a factor design has a handful. */
export interface SparseRows {
  readonly n: number;
  readonly width: number;
  readonly starts: Uint32Array;
  readonly index: Uint32Array;
  readonly value: Float64Array;
  readonly low: Float64Array | undefined;
}

const known = new WeakMap<readonly DesignColumn[], SparseRows>();

/** Remembered per list of columns, since an iteration asks many times. */
export function sparseRows(columns: readonly DesignColumn[], n: number): SparseRows {
  const remembered = known.get(columns);
  if (remembered) return remembered;
  const starts = new Uint32Array(n + 1);
  for (const { ones, values } of lazily(columns)) {
    if (ones) for (const i of ones) starts[i + 1]++;
    else for (let i = 0; i < n; i++) if (values()[i] !== 0) starts[i + 1]++;
  }
  for (let i = 0; i < n; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const index = new Uint32Array(starts[n]);
  const value = new Float64Array(starts[n]);
  const low = columns.some((column) => column.low) ? new Float64Array(starts[n]) : undefined;
  for (const [j, column] of columns.entries()) {
    const put = (i: number, entry: number, rest: number) => {
      index[next[i]] = j;
      value[next[i]] = entry;
      if (low) low[next[i]] = rest;
      next[i]++;
    };
    if (column.ones) for (const i of column.ones) put(i, 1, 0);
    else {
      const { values, low: rest } = column;
      for (let i = 0; i < n; i++) if (values[i] !== 0) put(i, values[i], rest?.[i] ?? 0);
    }
  }
  const rows = { n, width: columns.length, starts, index, value, low };
  known.set(columns, rows);
  return rows;
}

function* lazily(columns: readonly DesignColumn[]) {
  for (const column of columns) yield { ones: column.ones, values: () => column.values };
}

/** Xβ, on top of `start` where given. */
export function multiplyRows(
  { n, starts, index, value }: SparseRows,
  beta: ArrayLike<number>,
  start?: Float64Array,
): Float64Array {
  const product = start ? start.slice() : new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let e = starts[i]; e < starts[i + 1]; e++) sum += value[e] * beta[index[e]];
    product[i] += sum;
  }
  return product;
}

/** Columns in blocks of which the indicators share no row: the terms of a factor design. */
export function disjointBlocks(columns: readonly DesignColumn[], n: number): number[][] {
  const blocks: number[][] = [];
  let block: number[] = [];
  let taken = new Uint8Array(n);
  for (const [j, { ones }] of columns.entries()) {
    if (!ones) continue;
    if (ones.some((i) => taken[i])) {
      blocks.push(block);
      block = [];
      taken = new Uint8Array(n);
    }
    block.push(j);
    for (const i of ones) taken[i] = 1;
  }
  return [...blocks, block];
}
