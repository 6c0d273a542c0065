import { expected } from '../../contracts/errors.ts';
import { type Features, squaredDistances } from './features.ts';

export interface Neighbourhoods {
  /** Share of generated pictures within the k-th neighbour's reach of some real one (Kynkäänniemi et al., 2019). */
  readonly precision: number;
  /** Share of real pictures within the reach of some generated one. */
  readonly recall: number;
  /** In how many real neighbourhoods a generated picture lies, over k (Naeem et al., 2020); not bounded by one. */
  readonly density: number;
  /** Share of real pictures with a generated one in their neighbourhood. */
  readonly coverage: number;
}

/** How far the generated pictures lie where real ones do, and reach all of where they lie. */
export function neighbourhoods(real: Features, generated: Features, { k = 5 }: { k?: number } = {}): Neighbourhoods {
  const smallest = Math.min(real.rows, generated.rows);
  if (smallest <= k) throw expected(`more than ${k} pictures on either side`, 'precision and recall', smallest);
  const realReach = reach(real, k);
  const generatedReach = reach(generated, k);
  const distances = squaredDistances(generated, real);
  const covered = new Uint8Array(real.rows);
  const recalled = new Uint8Array(real.rows);
  let [precise, dense] = [0, 0];
  for (let i = 0; i < generated.rows; i++) {
    let inside = 0;
    for (let j = 0; j < real.rows; j++) {
      const distance = distances[i * real.rows + j];
      if (distance < realReach[j]) {
        inside++;
        covered[j] = 1;
      }
      if (distance < generatedReach[i]) recalled[j] = 1;
    }
    if (inside) precise++;
    dense += inside;
  }
  return {
    precision: precise / generated.rows,
    recall: share(recalled),
    density: dense / (k * generated.rows),
    coverage: share(covered),
  };
}

/** Squared distance of each row to its k-th nearest other row. */
function reach(features: Features, k: number): Float64Array {
  const distances = squaredDistances(features, features);
  return Float64Array.from({ length: features.rows }, (_, i) => {
    const row = distances.slice(i * features.rows, (i + 1) * features.rows);
    // The first is the row itself.
    return row.sort()[k];
  });
}

const share = (flags: Uint8Array) => flags.reduce((sum, flag) => sum + flag, 0) / flags.length;
