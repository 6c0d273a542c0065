import { type Features, meanRow, squaredDistances } from './features.ts';

export interface Diversity {
  /** Mean distance between two pictures of the set. */
  readonly meanDistance: number;
  /** Root of the mean squared distance to the middle of the set. */
  readonly spread: number;
}

/** How far the pictures of one set lie apart. */
export function diversity(features: Features): Diversity {
  const { rows, dims, data } = features;
  const mean = meanRow(features);
  let squares = 0;
  for (let i = 0; i < rows; i++) for (let k = 0; k < dims; k++) squares += (data[i * dims + k] - mean[k]) ** 2;
  const distances = squaredDistances(features, features);
  let sum = 0;
  for (const distance of distances) sum += Math.sqrt(distance);
  return { meanDistance: sum / (rows * (rows - 1)), spread: Math.sqrt(squares / rows) };
}
