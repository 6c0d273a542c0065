import type { Random } from '../contracts/random.ts';

/**
 * A generator seeded by what it is for, never by order: `randomFor(seed, sample, scenario)` gives the same stream on any
 * machine, thread and split of the work. Seeds are hashed with FNV-1a into xoshiro128** (Blackman and Vigna, 2021).
 */
export function randomFor(...seeds: (string | number)[]): Random {
  const state = Int32Array.from(hashSeeds(seeds));
  // Numbers are drawn ahead once a few were asked for: a picture needs millions, and most generators a handful.
  let ahead = new Float64Array(1);
  let at = 1;
  let drawn = 0;
  const uniform = () => {
    if (at === ahead.length) {
      if (drawn++ === fewDraws) ahead = new Float64Array(manyDraws);
      fillUniforms(state, ahead);
      at = 0;
    }
    return ahead[at++];
  };
  const integer = (low: number, high: number) => low + Math.floor(uniform() * (high - low + 1));
  let spare: number | undefined;
  const normal = () => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    // Box–Muller; 1 − u keeps the logarithm's argument above zero.
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
  const shuffle = <T>(items: readonly T[]): T[] => {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = integer(0, i);
      [copy[i], copy[j]] = [copy[j], copy[i]];
    }
    return copy;
  };
  return { uniform, integer, normal, pick: (items) => items[integer(0, items.length - 1)], shuffle };
}

const fewDraws = 16;
const manyDraws = 512;

/** The next numbers in [0, 1), 53 bits of each from two steps of xoshiro128**. */
function fillUniforms(state: Int32Array, out: Float64Array): void {
  let [a, b, c, d] = [state[0], state[1], state[2], state[3]];
  for (let i = 0; i < out.length; i++) {
    let high = 0;
    let low = 0;
    for (let half = 0; half < 2; half++) {
      high = low;
      low = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9);
      const t = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= t;
      d = rotateLeft(d, 11);
    }
    out[i] = ((high >>> 5) * 67108864 + (low >>> 6)) / 9007199254740992;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
}

const rotateLeft = (x: number, k: number) => (x << k) | (x >>> (32 - k));

function hashSeeds(seeds: (string | number)[]): number[] {
  const text = seeds.map((seed) => `${typeof seed}:${seed}`).join('\u0000');
  const words: number[] = [0, 1, 2, 3].map((lane) => {
    let hash = 0x811c9dc5 ^ Math.imul(lane + 1, 0x9e3779b9);
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    // Murmur3's finaliser: FNV alone leaves neighbouring seeds alike in the high bits.
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  });
  // The all-zero state is the one xoshiro cannot leave.
  if (words.every((word) => !word)) words[0] = 1;
  return words;
}
