import type { Random } from '../../../contracts/random.ts';

/** Standard normal, one after the other. */
export function normals(random: Random, length: number): Float64Array {
  const out = new Float64Array(length);
  for (let i = 0; i < length; i++) out[i] = random.normal();
  return out;
}

/** Uniform in [0, 1). */
export function uniforms(random: Random, length: number): Float64Array {
  const out = new Float64Array(length);
  for (let i = 0; i < length; i++) out[i] = random.uniform();
  return out;
}
