import { readdirSync, readFileSync } from 'node:fs';
import { SampleError } from '../../src/contracts/errors.ts';
import { decodeDetailed, inspectImage } from '../../src/image/decode.ts';
import type { FuzzTarget } from './fuzz.ts';
import { disturbPieces, type PieceFormat } from './pieces.ts';

/** Pictures that claim more are refused, so that what one costs has a bound that can be checked. */
const maxPixels = 250_000;

export const seedsOf = (format: string): Buffer[] => {
  const folder = `test/fuzz/seeds/${format}`;
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(`${folder}/${name}`));
};

/** Whole pictures of one format, hurt as its grammar knows, through both ways of decoding. */
export function pictureTarget(name: string, format: PieceFormat): FuzzTarget {
  const seeds = seedsOf(name);
  return {
    name,
    mostMegabytes: 160,
    make: (random) => ({ picture: disturbPieces(random.pick(seeds), format, random, seeds) }),
    feed: ({ picture }) => decodeBothWays(picture as Uint8Array),
  };
}

async function decodeBothWays(bytes: Uint8Array): Promise<void> {
  const { width, height } = await inspectImage(bytes, { maxPixels });
  let refused: SampleError | undefined;
  for (const mode of ['pillow', 'corrected'] as const) {
    try {
      const { image, facts } = await decodeDetailed(bytes, { mode, maxPixels });
      const sides = [image.width, image.height].sort();
      if (image.data.length !== 3 * image.width * image.height)
        throw new Error(`${image.width} × ${image.height} pixels in ${image.data.length} bytes`);
      if (image.width * image.height > maxPixels) throw new Error(`more pixels than allowed: ${sides}`);
      if (facts.width !== width || facts.height !== height || `${sides}` !== `${[width, height].sort()}`)
        throw new Error(`${mode}: ${image.width} × ${image.height}, but the head says ${width} × ${height}`);
    } catch (error) {
      if (!(error instanceof SampleError)) throw error;
      refused = error;
    }
  }
  if (refused) throw refused;
}
