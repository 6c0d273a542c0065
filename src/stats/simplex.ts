/**
 * Maximises cᵀd over the box −1 ≤ dⱼ ≤ 1 with rows·d ≥ 0, by the primal simplex method. d = 0 is feasible, so there is no
 * first phase; Bland's rule keeps the many ties of a cone from cycling.
 */
export function maximiseInCone(rows: readonly Float64Array[], objective: Float64Array): Float64Array {
  const k = objective.length;
  // d = u − v with u, v ≥ 0: rows·(v − u) ≤ 0, u ≤ 1, v ≤ 1.
  const width = 2 * k;
  const tableau: Float64Array[] = [];
  for (const row of rows) {
    const line = new Float64Array(width + 1);
    for (let j = 0; j < k; j++) {
      line[j] = -row[j];
      line[k + j] = row[j];
    }
    tableau.push(line);
  }
  for (let j = 0; j < width; j++) {
    const line = new Float64Array(width + 1);
    line[j] = 1;
    line[width] = 1;
    tableau.push(line);
  }
  const cost = new Float64Array(width + 1);
  for (let j = 0; j < k; j++) {
    cost[j] = objective[j];
    cost[k + j] = -objective[j];
  }
  // Variable numbers: 0 … width−1 the unknowns, beyond them the slacks.
  const outside = Array.from({ length: width }, (_, j) => j);
  const basis = tableau.map((_, i) => width + i);
  const tiny = 1e-10;
  for (let step = 0; step < 50 * (width + 10); step++) {
    const enter = lowest(outside, (j) => cost[j] > tiny);
    if (enter < 0) break;
    let leave = -1;
    let best = Number.POSITIVE_INFINITY;
    for (const [i, line] of tableau.entries()) {
      if (line[enter] <= tiny) continue;
      const ratio = line[width] / line[enter];
      if (ratio < best - tiny || (ratio < best + tiny && leave >= 0 && basis[i] < basis[leave])) {
        best = Math.min(best, ratio);
        leave = i;
      }
    }
    if (leave < 0) break;
    pivot(tableau, cost, leave, enter);
    [basis[leave], outside[enter]] = [outside[enter], basis[leave]];
  }
  const d = new Float64Array(k);
  for (const [i, variable] of basis.entries()) {
    if (variable < k) d[variable] += tableau[i][width];
    else if (variable < width) d[variable - k] -= tableau[i][width];
  }
  return d;
}

function lowest(variables: number[], allowed: (index: number) => boolean): number {
  let found = -1;
  for (let j = 0; j < variables.length; j++)
    if (allowed(j) && (found < 0 || variables[j] < variables[found])) found = j;
  return found;
}

/** Exchanges the variable of a row with that of a column, in the condensed tableau. */
function pivot(tableau: Float64Array[], cost: Float64Array, row: number, column: number): void {
  const line = tableau[row];
  const inverse = 1 / line[column];
  for (let j = 0; j < line.length; j++) line[j] *= inverse;
  line[column] = inverse;
  for (const other of [...tableau, cost]) {
    if (other === line) continue;
    const factor = other[column];
    if (factor === 0) continue;
    for (let j = 0; j < line.length; j++) if (j !== column) other[j] -= factor * line[j];
    other[column] = -factor * inverse;
  }
}
