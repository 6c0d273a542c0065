/**
 * The few products that training spends its time in. Matrices are rows in one Float64Array; every sum runs in a fixed
 * order, so results do not depend on threads. Inner loops take several rows at once: a number loaded is used more often.
 */

/** Lower triangle of X·Xᵀ, X being n × d; the upper triangle is left zero. */
export function gramOfRows(x: Float64Array, n: number, d: number): Float64Array {
  const gram = new Float64Array(n * n);
  const block = new Float64Array(8);
  for (let i = 0; i < n; i += 2) {
    const second = Math.min(i + 1, n - 1);
    for (let j = 0; j <= second; j += 4) {
      dotBlock(x, d, i, second, j, n - 1, block);
      for (let m = 0; m < 8; m++) {
        const row = i + (m >> 2);
        const column = j + (m & 3);
        if (row < n && column <= row) gram[row * n + column] = block[m];
      }
    }
  }
  return gram;
}

/** Products of rows i and i1 with rows j … j + 3. */
function dotBlock(
  x: Float64Array,
  d: number,
  i: number,
  i1: number,
  j: number,
  last: number,
  into: Float64Array,
): void {
  const a0 = i * d;
  const a1 = i1 * d;
  const b0 = j * d;
  const b1 = Math.min(j + 1, last) * d;
  const b2 = Math.min(j + 2, last) * d;
  const b3 = Math.min(j + 3, last) * d;
  let s00 = 0;
  let s01 = 0;
  let s02 = 0;
  let s03 = 0;
  let s10 = 0;
  let s11 = 0;
  let s12 = 0;
  let s13 = 0;
  for (let k = 0; k < d; k++) {
    const u = x[a0 + k];
    const v = x[a1 + k];
    const p = x[b0 + k];
    const q = x[b1 + k];
    const r = x[b2 + k];
    const s = x[b3 + k];
    s00 += u * p;
    s01 += u * q;
    s02 += u * r;
    s03 += u * s;
    s10 += v * p;
    s11 += v * q;
    s12 += v * r;
    s13 += v * s;
  }
  into[0] = s00;
  into[1] = s01;
  into[2] = s02;
  into[3] = s03;
  into[4] = s10;
  into[5] = s11;
  into[6] = s12;
  into[7] = s13;
}

/** Lower triangle of Zᵀ·Z, Z being n × r; `ends[i]`: row i is zero from there on. */
export function gramOfColumns(z: Float64Array, n: number, r: number, ends: Int32Array): Float64Array {
  const gram = new Float64Array(r * r);
  for (let i = 0; i < n; i += 4) {
    // Rows of a trapezoid end later and later, so the last of the four covers them all.
    const last = Math.min(i + 3, n - 1);
    let end = 0;
    for (let row = i; row <= last; row++) end = Math.max(end, ends[row]);
    const at = i * r;
    const [at1, at2, at3] = [1, 2, 3].map((step) => (i + step < n ? at + step * r : -1));
    for (let j = 0; j < end; j++) {
      const u = z[at + j];
      const v = at1 < 0 ? 0 : z[at1 + j];
      const w = at2 < 0 ? 0 : z[at2 + j];
      const y = at3 < 0 ? 0 : z[at3 + j];
      const row = j * r;
      if (at3 >= 0)
        for (let k = 0; k <= j; k++) gram[row + k] += u * z[at + k] + v * z[at1 + k] + w * z[at2 + k] + y * z[at3 + k];
      else
        for (let k = 0; k <= j; k++)
          gram[row + k] += u * z[at + k] + (v && v * z[at1 + k]) + (w && w * z[at2 + k]) + (y && y * z[at3 + k]);
    }
  }
  return gram;
}

/** Scores n × c = Z·Vᵀ, V being c × r; `ends[i]`: row i of Z is zero from there on. */
export function scoresOf(
  z: Float64Array,
  v: Float64Array,
  { n, r, c, ends }: { n: number; r: number; c: number; ends?: Int32Array },
  into = new Float64Array(n * c),
): Float64Array {
  for (let i = 0; i < n; i++) {
    const at = i * r;
    const end = ends ? ends[i] : r;
    let k = 0;
    for (; k + 4 <= c; k += 4) {
      const [v0, v1, v2, v3] = [k * r, (k + 1) * r, (k + 2) * r, (k + 3) * r];
      let [s0, s1, s2, s3] = [0, 0, 0, 0];
      for (let j = 0; j < end; j++) {
        const value = z[at + j];
        s0 += value * v[v0 + j];
        s1 += value * v[v1 + j];
        s2 += value * v[v2 + j];
        s3 += value * v[v3 + j];
      }
      const out = i * c + k;
      into[out] = s0;
      into[out + 1] = s1;
      into[out + 2] = s2;
      into[out + 3] = s3;
    }
    for (; k < c; k++) {
      let sum = 0;
      for (let j = 0; j < end; j++) sum += z[at + j] * v[k * r + j];
      into[i * c + k] = sum;
    }
  }
  return into;
}

/** Adds Rᵀ·Z to `into` (c × r), R being n × c. */
export function addWeightedRows(
  residual: Float64Array,
  z: Float64Array,
  { n, r, c, ends }: { n: number; r: number; c: number; ends?: Int32Array },
  into: Float64Array,
): void {
  const whole = n - (n % 4);
  for (let i = 0; i < whole; i += 4) {
    const [z0, z1, z2, z3] = [i * r, (i + 1) * r, (i + 2) * r, (i + 3) * r];
    const end = ends ? Math.max(ends[i], ends[i + 1], ends[i + 2], ends[i + 3]) : r;
    for (let k = 0; k < c; k++) {
      const from = i * c + k;
      const [a, b, d, e] = [residual[from], residual[from + c], residual[from + 2 * c], residual[from + 3 * c]];
      const row = k * r;
      for (let j = 0; j < end; j++) into[row + j] += a * z[z0 + j] + b * z[z1 + j] + d * z[z2 + j] + e * z[z3 + j];
    }
  }
  for (let i = whole; i < n; i++)
    for (let k = 0; k < c; k++) {
      const value = residual[i * c + k];
      for (let j = 0; j < (ends ? ends[i] : r); j++) into[k * r + j] += value * z[i * r + j];
    }
}

/** Cholesky factor of a symmetric positive definite matrix given by its lower triangle, in place; returns whether it is one. */
export function choleskyInPlace(a: Float64Array, n: number): boolean {
  for (let j = 0; j < n; j++) {
    const row = j * n;
    let pivot = a[row + j];
    for (let k = 0; k < j; k++) pivot -= a[row + k] * a[row + k];
    if (!(pivot > 0)) return false;
    const root = Math.sqrt(pivot);
    a[row + j] = root;
    let i = j + 1;
    for (; i + 4 <= n; i += 4) {
      const [r0, r1, r2, r3] = [i * n, (i + 1) * n, (i + 2) * n, (i + 3) * n];
      let [s0, s1, s2, s3] = [a[r0 + j], a[r1 + j], a[r2 + j], a[r3 + j]];
      for (let k = 0; k < j; k++) {
        const value = a[row + k];
        s0 -= value * a[r0 + k];
        s1 -= value * a[r1 + k];
        s2 -= value * a[r2 + k];
        s3 -= value * a[r3 + k];
      }
      a[r0 + j] = s0 / root;
      a[r1 + j] = s1 / root;
      a[r2 + j] = s2 / root;
      a[r3 + j] = s3 / root;
    }
    for (; i < n; i++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= a[row + k] * a[i * n + k];
      a[i * n + j] = sum / root;
    }
  }
  return true;
}

/** Writes the lower triangle into the upper one as well, so that columns can be walked as rows. */
export function mirror(a: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) a[j * n + i] = a[i * n + j];
}

/** Solves L·Lᵀ·x = b in place for the c rows of `b` (c × n); `l` mirrored. */
export function solveCholesky(l: Float64Array, n: number, b: Float64Array, c: number): void {
  let k = 0;
  for (; k + 4 <= c; k += 4) {
    for (let j = 0; j < n; j++) eliminate(l, n, b, k, j, 0, j);
    for (let j = n - 1; j >= 0; j--) eliminate(l, n, b, k, j, j + 1, n);
  }
  for (; k < c; k++) {
    const at = k * n;
    for (let j = 0; j < n; j++) {
      let sum = b[at + j];
      for (let m = 0; m < j; m++) sum -= l[j * n + m] * b[at + m];
      b[at + j] = sum / l[j * n + j];
    }
    solveTransposed(l, n, n, b.subarray(at, at + n));
  }
}

/** Unknown j of four right sides, its row of the factor taken from `from` to `to`. */
function eliminate(l: Float64Array, n: number, b: Float64Array, k: number, j: number, from: number, to: number): void {
  const row = j * n;
  const b0 = k * n;
  const b1 = b0 + n;
  const b2 = b1 + n;
  const b3 = b2 + n;
  let s0 = b[b0 + j];
  let s1 = b[b1 + j];
  let s2 = b[b2 + j];
  let s3 = b[b3 + j];
  for (let m = from; m < to; m++) {
    const value = l[row + m];
    s0 -= value * b[b0 + m];
    s1 -= value * b[b1 + m];
    s2 -= value * b[b2 + m];
    s3 -= value * b[b3 + m];
  }
  const pivot = l[row + j];
  b[b0 + j] = s0 / pivot;
  b[b1 + j] = s1 / pivot;
  b[b2 + j] = s2 / pivot;
  b[b3 + j] = s3 / pivot;
}

/** Solves Lᵀ·x = b in place, L being the first r columns and rows of a lower triangle with rows `stride` apart. */
export function solveTransposed(l: Float64Array, stride: number, r: number, b: Float64Array): void {
  for (let j = r - 1; j >= 0; j--) {
    const row = j * stride;
    const value = b[j] / l[row + j];
    b[j] = value;
    for (let m = 0; m < j; m++) b[m] -= value * l[row + m];
  }
}
