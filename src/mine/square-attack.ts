import type { Random } from '../contracts/random.ts';
import type { Raster } from '../image/raster.ts';

export interface SquareAttackOptions {
  /** Largest change of a channel, in levels of 255. */
  readonly epsilon?: number;
  /** Questions the model may be asked about one picture. */
  readonly queries?: number;
  readonly random: Random;
}

export interface SquareAttackResult {
  /** The model was wrong, at the start or after some question. */
  readonly fooled: boolean;
  /** Questions asked, the first about the picture as it is. */
  readonly queries: number;
  readonly margin: number;
  readonly image: Raster;
}

/**
 * Square attack within L∞ (Andriushchenko et al., 2020): a black box is asked about pictures in which one random square is
 * moved by ±ε in every channel, and a change is kept when it lowers the margin. `marginOf` is the truth's score minus the
 * best other one; below zero the model is wrong.
 */
export async function squareAttack(
  image: Raster,
  marginOf: (image: Raster) => Promise<number>,
  { epsilon = 8, queries = 500, random }: SquareAttackOptions,
): Promise<SquareAttackResult> {
  const { width, height } = image;
  let best = image;
  let margin = await marginOf(image);
  let asked = 1;
  const ask = async (candidate: Raster) => {
    asked++;
    const found = await marginOf(candidate);
    if (found < margin) {
      margin = found;
      best = candidate;
    }
  };
  // Vertical stripes, the start that the authors found best.
  if (margin >= 0 && asked < queries) await ask(stripes(image, epsilon, random));
  for (let step = 0; margin >= 0 && asked < queries; step++) {
    const share = shareOfArea(step, queries);
    const side = Math.max(1, Math.min(Math.round(Math.sqrt(share * width * height)), width, height));
    await ask(moveSquare(image, best, { side, epsilon, random }));
  }
  return { fooled: margin < 0, queries: asked, margin, image: best };
}

/** 0.8 of the area at first, halved at the authors' steps (given for 10,000 questions). */
function shareOfArea(step: number, queries: number): number {
  const at = (step / queries) * 10_000;
  const halvings = [10, 50, 200, 500, 1000, 2000, 4000, 6000, 8000].filter((limit) => at > limit).length;
  return 0.8 / 2 ** halvings;
}

const clamp = (value: number) => Math.max(0, Math.min(255, value));

function stripes(image: Raster, epsilon: number, random: Random): Raster {
  const { width, height } = image;
  const signs = Int8Array.from({ length: width * 3 }, () => (random.uniform() < 0.5 ? -1 : 1));
  const data = Uint8Array.from(image.data, (value, i) => clamp(value + epsilon * signs[i % (width * 3)]));
  return { width, height, data };
}

function moveSquare(
  original: Raster,
  current: Raster,
  { side, epsilon, random }: { side: number; epsilon: number; random: Random },
): Raster {
  const { width, height } = original;
  const left = random.integer(0, width - side);
  const top = random.integer(0, height - side);
  const data = Uint8Array.from(current.data);
  for (let channel = 0; channel < 3; channel++) {
    const by = random.uniform() < 0.5 ? -epsilon : epsilon;
    for (let y = top; y < top + side; y++)
      for (let x = left; x < left + side; x++) {
        const i = 3 * (y * width + x) + channel;
        data[i] = clamp(original.data[i] + by);
      }
  }
  return { width, height, data };
}
