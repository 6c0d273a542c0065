/**
 * The product of each row with the values. Four rows go side by side, since each addition waits for the one before it; each
 * row's own sum is added up from left to right, as by itself.
 */
export function rowProducts(rows: readonly Float64Array[], values: Float64Array): Float64Array {
  const out = new Float64Array(rows.length);
  const n = values.length;
  let k = 0;
  for (; k + 4 <= rows.length; k += 4) {
    const [a, b, c, d] = [rows[k], rows[k + 1], rows[k + 2], rows[k + 3]];
    let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      const value = values[i];
      sumA += a[i] * value;
      sumB += b[i] * value;
      sumC += c[i] * value;
      sumD += d[i] * value;
    }
    out[k] = sumA;
    out[k + 1] = sumB;
    out[k + 2] = sumC;
    out[k + 3] = sumD;
  }
  for (; k < rows.length; k++) {
    const row = rows[k];
    let sum = 0;
    for (let i = 0; i < n; i++) sum += row[i] * values[i];
    out[k] = sum;
  }
  return out;
}
