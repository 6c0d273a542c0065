import { SampleError } from '../../contracts/errors.ts';
import { createMask, type Mask, type Raster } from '../raster.ts';
import { resize } from '../resize.ts';
import { forgetOpenCv, loadOpenCv } from './open-cv.ts';
import { type Box, heed, marks, priorFromBox, priorFromCentre, reduceHints } from './prior.ts';
import { refineEdge } from './refine-edge.ts';

export type { Box } from './prior.ts';

/**
 * Longer side of the picture that is cut. The time of a cut grows with more than its pixels (OpenCV's own: half a second to
 * a second at 320, half a minute at 2000), and colours tell an object from its scene as well in a small picture as in a
 * large one; what a small one cannot tell, where exactly the edge runs, is read from the large one afterwards.
 */
const workSidePx = 320;

export interface GrabCutOptions {
  readonly box?: Box;
  readonly iterations?: number;
  /**
   * The user's hints, at the picture's size: 1 is object, 2 is background, 0 is open. The result follows them to the
   * pixel.
   */
  readonly hints?: Uint8Array;
}

/**
 * GrabCut (Rother, Kolmogorov and Blake, 2004) by OpenCV: everything outside the box is background, what is inside is
 * probably the object. Without a box the object is taken to be about the middle. Throws `SampleError` where OpenCV fails.
 */
export async function grabCut(image: Raster, { box, iterations = 5, hints }: GrabCutOptions = {}): Promise<Mask> {
  const scale = Math.min(1, workSidePx / Math.max(image.width, image.height));
  if (scale === 1) return heed(await cut(image, { box, iterations, hints }), hints);
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const small = resize(image, width, height, 'box');
  const [fx, fy] = [width / image.width, height / image.height];
  const smallBox: Box | undefined = box && [box[0] * fx, box[1] * fy, box[2] * fx, box[3] * fy];
  const smallHints = hints && reduceHints(hints, image, width, height);
  return heed(refineEdge(image, small, await cut(small, { box: smallBox, iterations, hints: smallHints })), hints);
}

async function cut(image: Raster, { box, iterations, hints }: GrabCutOptions & { iterations: number }): Promise<Mask> {
  const { width, height } = image;
  const prior = box ? priorFromBox(width, height, box) : priorFromCentre(width, height);
  if (hints)
    for (let i = 0; i < prior.length; i++)
      if (hints[i]) prior[i] = hints[i] === 1 ? marks.sureObject : marks.sureBackground;
  const found = createMask(width, height);
  if (!prior.includes(marks.sureBackground)) return { ...found, data: found.data.fill(255) };
  const { cv } = await loadOpenCv();
  try {
    const pixels = new cv.Mat(height, width, cv.CV_8UC3);
    const state = new cv.Mat(height, width, cv.CV_8UC1);
    const models = [new cv.Mat(), new cv.Mat()];
    // GrabCut only compares colours, so the order of the channels does not matter.
    pixels.data.set(image.data);
    state.data.set(prior);
    // Its mixtures start from k-means with OpenCV's own generator: seeded, so that a mask depends on its image alone.
    cv.setRNGSeed?.(0);
    cv.grabCut(pixels, state, new cv.Rect(0, 0, width, height), models[0], models[1], iterations, cv.GC_INIT_WITH_MASK);
    const { data } = state;
    for (let i = 0; i < found.data.length; i++)
      found.data[i] = data[i] === marks.sureObject || data[i] === marks.probablyObject ? 255 : 0;
    for (const mat of [pixels, state, ...models]) mat.delete();
    return found;
  } catch (cause) {
    forgetOpenCv();
    // C++ exceptions arrive as bare numbers.
    const reason = cause instanceof Error ? cause.message : 'OpenCV refused it';
    const hint = box ? '; is its box inside the picture, and not empty?' : '';
    throw new SampleError('other', `GrabCut failed on ${width} × ${height} pixels: ${reason}${hint}`, { cause });
  }
}
