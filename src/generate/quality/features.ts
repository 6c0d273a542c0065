/** One row of numbers per picture, row after row: the output of any backbone's last hidden layer. */
export interface Features {
  readonly rows: number;
  readonly dims: number;
  readonly data: Float64Array;
}

export function toFeatures(rows: readonly ArrayLike<number>[]): Features {
  const dims = rows[0]?.length ?? 0;
  const data = new Float64Array(rows.length * dims);
  for (const [i, row] of rows.entries()) data.set(row, i * dims);
  return { rows: rows.length, dims, data };
}

export function meanRow({ rows, dims, data }: Features): Float64Array {
  const mean = new Float64Array(dims);
  for (let i = 0; i < rows; i++) for (let k = 0; k < dims; k++) mean[k] += data[i * dims + k] / rows;
  return mean;
}

/** Squared distances of every row of `a` to every row of `b`; row i of the result belongs to row i of `a`. */
export function squaredDistances(a: Features, b: Features): Float64Array {
  const { dims } = a;
  const result = new Float64Array(a.rows * b.rows);
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < b.rows; j++) {
      let sum = 0;
      for (let k = 0; k < dims; k++) sum += (a.data[i * dims + k] - b.data[j * dims + k]) ** 2;
      result[i * b.rows + j] = sum;
    }
  return result;
}
