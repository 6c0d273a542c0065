import type { Random } from '../../../contracts/random.ts';

/** Uniform in [0, 1). */
export function uniforms(random: Random, length: number): Float64Array {
  const out = new Float64Array(length);
  for (let i = 0; i < length; i++) out[i] = random.uniform();
  return out;
}

/**
 * A source of standard normal numbers, by the ziggurat of Marsaglia and Tsang (2000) with Doornik's (2005) separate
 * uniform numbers for the layer and the place in it: a picture needs hundreds of thousands, and this takes a third of
 * Box and Muller's time.
 */
export const normalSource = (random: Random) => () => normal(random);

export function normals(random: Random, length: number): Float64Array {
  const out = new Float64Array(length);
  for (let i = 0; i < length; i++) out[i] = normal(random);
  return out;
}

const layers = 128;
/** Where the tail begins, and the area of each layer; Marsaglia and Tsang's constants for 128 layers. */
const tail = 3.442619855899;
const area = 9.91256303526217e-3;
const density = (x: number) => Math.exp(-0.5 * x * x);

/** Right edges of the layers from the lowest, whose edge is that of a box with the area of layer and tail, to 0. */
const edges = new Float64Array(layers + 1);
edges[0] = area / density(tail);
edges[1] = tail;
for (let i = 2; i < layers; i++) edges[i] = Math.sqrt(-2 * Math.log(area / edges[i - 1] + density(edges[i - 1])));

function normal(random: Random): number {
  for (;;) {
    const place = 2 * random.uniform() - 1;
    // 7 of the 53 bits: the others stay unused, so that place and layer are independent.
    const layer = (random.uniform() * layers) | 0;
    const x = place * edges[layer];
    if (Math.abs(x) < edges[layer + 1]) return x;
    if (layer === 0) return tailNormal(random, place < 0);
    const low = density(edges[layer]);
    const high = density(edges[layer + 1]);
    if (low + random.uniform() * (high - low) < density(x)) return x;
  }
}

/** Beyond the ziggurat (Marsaglia, 1964). */
function tailNormal(random: Random, negative: boolean): number {
  for (;;) {
    const x = Math.log(1 - random.uniform()) / tail;
    const y = Math.log(1 - random.uniform());
    if (-2 * y >= x * x) return negative ? x - tail : tail - x;
  }
}
