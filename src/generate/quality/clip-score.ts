import type { Features } from './features.ts';

/** What Hessel et al. scale the cosine by, to use the range from 0 to 1. */
const weight = 2.5;

/** CLIP score of every picture with its own prompt: 2.5 · max(cos, 0) (Hessel et al., 2021, eq. 1); row i with row i. */
export function clipScores(pictures: Features, prompts: Features): Float64Array {
  const { rows, dims } = pictures;
  if (prompts.rows !== rows || prompts.dims !== dims)
    throw new Error(`expected ${rows} prompts of ${dims} numbers but received ${prompts.rows} of ${prompts.dims}`);
  return Float64Array.from({ length: rows }, (_, i) => {
    let [dot, a, b] = [0, 0, 0];
    for (let k = i * dims; k < (i + 1) * dims; k++) {
      dot += pictures.data[k] * prompts.data[k];
      a += pictures.data[k] ** 2;
      b += prompts.data[k] ** 2;
    }
    return weight * Math.max(0, dot / (Math.sqrt(a * b) || 1));
  });
}
