import type { Random } from '../../contracts/random.ts';
import { chamfer, missingPixels, patches } from './hole.ts';
import { peel } from './peel.ts';
import type { Level } from './pyramid.ts';
import { workspace } from './workspace.ts';

/** A level together with how it is worked on. */
export interface Stage {
  readonly level: Level;
  /** Side of the patches: 3, 5 or 7. */
  readonly side: number;
  /** Turns of searching and voting. */
  readonly turns: number;
  /** How far the random search reaches, in pixels; 0: the whole frame. */
  readonly reachPx: number;
}

/** Where the patches of a level were copied from, as y << 16 | x; −1 where none was sought. */
interface Field {
  readonly side: number;
  readonly width: number;
  readonly height: number;
  readonly nearest: Int32Array;
}

const settings = {
  /** Cost of a shift by the whole width or height, in squared levels a pixel and channel. */
  shiftAcross: 50,
  shiftDown: 1000,
  /** How fast trust falls from the rim inwards, per pixel; Wexler et al. 2007, §3.3. */
  inwards: 1.3,
  /** Votes weigh exp(−sharpness · d / 2σ²), σ² being the upper quartile of all d; the paper has 1, which blurs more. */
  sharpness: 4,
  /** Pull of the copied colours, and the jump in levels above which a seam is an edge. */
  screen: 0.002,
  tolerance: 30,
  relaxation: 1.85,
  sweeps: 45,
};

const trust = Float32Array.from({ length: 600 }, (_, thirds) => settings.inwards ** (-thirds / 3));

/**
 * Fills the holes of all stages, coarsest first: each patch over the hole looks for its nearest patch of known pixels,
 * then each missing pixel becomes the weighted mean of what the patches over it propose, and so on in turns (Wexler,
 * Shechtman and Irani 2007), the nearest patches being found by PatchMatch (Barnes et al. 2009). On the finest, every
 * pixel is copied from one patch, and the pieces are joined by their gradients. Returns, for the finest level, the pixel
 * each missing one was copied from.
 */
export function complete(stages: readonly Stage[], random: Random): Int32Array {
  let field: Field | undefined;
  for (const stage of stages.slice(1).reverse()) field = completeStage(stage, random, field, false).field;
  return completeStage(stages[0], random, field, true).choices;
}

function completeStage(
  { level, side, turns, reachPx }: Stage,
  random: Random,
  coarse: Field | undefined,
  finest: boolean,
): { field: Field; choices: Int32Array } {
  const { width, height } = level;
  const count = width * height;
  const found = patches(level.hole, side);
  const missing = missingPixels(level.hole);
  const depth = chamfer(level.hole, 0);
  const voters = thinOut(found.targets, width, height, side);
  const { kernels, blocks } = workspace({
    pixels: ['bytes', count * 4],
    hole: ['bytes', count],
    isSource: ['bytes', count],
    targets: ['integers', found.targets.length],
    voters: ['integers', voters.length],
    sources: ['integers', found.sources.length],
    nearest: ['integers', count],
    distances: ['integers', count],
    weights: ['floats', count],
    sums: ['floats', count * 4],
    totals: ['integers', count],
    /** Which pixels the first guess may compare; later the pixels by columns. */
    asked: ['bytes', count * 4],
    squares: ['integers', count + 16],
    marked: ['integers', count],
    columns: ['integers', width + 16],
    missing: ['integers', missing.length],
    choices: ['integers', count],
    wanted: ['floats', missing.length * 4],
    sides: ['bytes', missing.length],
  });
  const { pixels, hole, isSource, targets, sources, nearest, distances, weights, sums, totals } = blocks;
  pixels.view.set(level.pixels);
  hole.view.set(level.hole.data);
  targets.view.set(found.targets);
  sources.view.set(found.sources);
  blocks.voters.view.set(voters);
  blocks.missing.view.set(missing);
  isSource.view.fill(0);
  for (let i = 0; i < found.sources.length; i++) {
    const source = found.sources[i];
    isSource.view[(source >> 16) * width + (source & 0xffff)] = 1;
  }
  nearest.view.fill(-1);
  const middle = (side >> 1) * (width + 1);
  for (const target of found.targets) weights.view[target] = trust[Math.min(depth[target + middle], 599)];

  const area = side * side * 3;
  kernels.fillPrior((settings.shiftAcross * area) / width ** 2, (settings.shiftDown * area) / height ** 2);
  const search = () =>
    kernels.fillSearch(
      pixels.at,
      width,
      height,
      side,
      targets.at,
      targets.view.length,
      sources.at,
      sources.view.length,
      isSource.at,
      nearest.at,
      distances.at,
      blocks.asked.at,
      blocks.squares.at,
      blocks.marked.at,
      blocks.columns.at,
      finest ? 1 : 2,
      reachPx || Math.max(width, height) >> 1,
      reachPx === 0 ? 1 : 0,
      random.integer(1, 0x7fffffff),
    );
  const vote = (sharpness: number) => {
    sums.view.fill(0);
    totals.view.fill(0);
    kernels.fillVote(
      pixels.at,
      hole.at,
      width,
      height,
      side,
      blocks.voters.at,
      voters.length,
      nearest.at,
      distances.at,
      weights.at,
      sums.at,
      totals.at,
      sharpness,
    );
  };

  if (coarse) {
    refine(coarse, level, side, found.targets, isSource.view, nearest.view);
  } else {
    const { asked } = blocks;
    peel({ level, side, random, kernels, pixels, asked, sources, nearest, places: distances, missing, depth });
  }
  for (const target of found.targets) {
    if (nearest.view[target] < 0) nearest.view[target] = found.sources[random.integer(0, found.sources.length - 1)];
  }
  if (coarse) {
    distances.view.fill(0);
    vote(0);
  }
  for (let turn = 0; turn < turns; turn++) {
    search();
    vote(settings.sharpness / (2 * upperQuartile(distances.view, found.targets)));
  }
  if (finest) {
    search();
    for (let i = 0; i < count; i++) totals.view[i] = level.hole.data[i] ? -1 : 0;
    kernels.fillChoose(
      width,
      side,
      targets.at,
      targets.view.length,
      nearest.at,
      distances.at,
      totals.at,
      blocks.choices.at,
    );
    sums.view.set(pixels.view);
    const list = [blocks.missing.at, missing.length] as const;
    const system = [sums.at, blocks.wanted.at, blocks.sides.at] as const;
    const { screen, tolerance, relaxation, sweeps } = settings;
    kernels.fillGradients(pixels.at, hole.at, width, height, ...list, blocks.choices.at, ...system, screen, tolerance);
    kernels.fillBlend(pixels.at, width, ...list, ...system, screen, relaxation, sweeps);
  }
  level.pixels.set(pixels.view);
  return { field: { side, width, height, nearest: nearest.view.slice() }, choices: blocks.choices.view.slice() };
}

/** A quarter of the patches votes for the rest: every pixel is still under a dozen of them. */
function thinOut(targets: Int32Array, width: number, height: number, side: number): Int32Array {
  if (side < 5) return targets;
  const right = width - side;
  const bottom = height - side;
  return targets.filter((target) => {
    const y = Math.floor(target / width);
    const x = target - y * width;
    return (x % 2 === 0 || x === right) && (y % 2 === 0 || y === bottom);
  });
}

function upperQuartile(distances: Int32Array, targets: Int32Array): number {
  const step = Math.max(1, Math.floor(targets.length / 2000));
  const sample = new Int32Array(Math.ceil(targets.length / step));
  for (let k = 0; k < sample.length; k++) sample[k] = distances[targets[k * step]];
  return Math.max(1, sample.sort()[Math.floor(sample.length * 0.75)]);
}

/** Starts a level from the coarser one's patches: the same shift, twice as long. */
function refine(
  coarse: Field,
  { width, height }: Level,
  side: number,
  targets: Int32Array,
  isSource: Uint8Array,
  nearest: Int32Array,
): void {
  const half = side >> 1;
  const coarseHalf = coarse.side >> 1;
  for (const target of targets) {
    const y = Math.floor(target / width);
    const x = target - y * width;
    const cx = Math.min(Math.max(((x + half) >> 1) - coarseHalf, 0), coarse.width - coarse.side);
    const cy = Math.min(Math.max(((y + half) >> 1) - coarseHalf, 0), coarse.height - coarse.side);
    const from = coarse.nearest[cy * coarse.width + cx];
    if (from >= 0) {
      const sx = x + 2 * ((from & 0xffff) - cx);
      const sy = y + 2 * ((from >> 16) - cy);
      if (sx >= 0 && sy >= 0 && sx < width && sy < height && isSource[sy * width + sx]) {
        nearest[target] = (sy << 16) | sx;
        continue;
      }
    }
    const before = x > 0 ? nearest[target - 1] : -1;
    if (before >= 0 && isSource[(before >> 16) * width + (before & 0xffff) + 1]) nearest[target] = before + 1;
  }
}
