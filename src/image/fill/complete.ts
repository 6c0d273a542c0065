import type { Random } from '../../contracts/random.ts';
import { depths, missingPixels, patches } from './hole.ts';
import { planPeel } from './peel.ts';
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
 * each missing one was copied from, to be looked at before the next image operation.
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
  const depth = depths(level.hole).distances;
  const { kernels, blocks } = workspace({
    pixels: ['bytes', count * 4],
    hole: ['bytes', count],
    isSource: ['bytes', count],
    targets: ['integers', found.targets.length],
    voters: ['integers', found.targets.length + 1],
    sources: ['integers', found.sources.length],
    nearest: ['integers', count],
    distances: ['integers', count],
    weights: ['floats', count],
    /** Lists of the first guess; sums of votes; then the patches' claims, with room before them; then the colours that are joined. */
    sums: ['floats', (count + side * width + 4) * 4],
    /** Weights of votes; before a search, the depths and a sample of distances. */
    totals: ['floats', Math.max(count, 4000)],
    /** Which pixels the first guess may compare; later the pixels by columns. */
    asked: ['bytes', count * 4],
    wide: ['bytes', count * 8],
    squares: ['integers', count + 16],
    marked: ['integers', count],
    columns: ['integers', width + 16],
    missing: ['integers', missing.length],
    choices: ['integers', finest ? count : 0],
    wanted: ['floats', finest ? missing.length * 4 : 0],
    unknowns: ['integers', finest ? missing.length : 0],
    rows: ['integers', finest ? height : 0],
    runs: ['integers', finest ? missing.length : 0],
    trust: ['floats', trust.length],
    coarse: ['integers', coarse?.nearest.length ?? 0],
  });
  const { pixels, hole, isSource, targets, sources, nearest, distances, weights, sums, totals } = blocks;
  pixels.view.set(level.pixels);
  hole.view.set(level.hole.data);
  targets.view.set(found.targets);
  sources.view.set(found.sources);
  blocks.missing.view.set(missing);
  blocks.trust.view.set(trust);
  new Int32Array(totals.view.buffer, totals.at, count).set(depth);
  const from = [targets.at, targets.view.length] as const;
  const list = [blocks.missing.at, missing.length] as const;
  kernels.fillMark(
    ...[width, height, side, sources.at, sources.view.length, isSource.at, ...from],
    ...[totals.at, blocks.trust.at, trust.length - 1, weights.at, nearest.at],
  );
  // Every pixel of a small patch's votes counts; of larger ones a quarter is enough.
  const voters =
    side < 5 ? from : ([blocks.voters.at, kernels.fillVoters(...from, width, height, side, blocks.voters.at)] as const);

  const area = side * side * 3;
  kernels.fillPrior((settings.shiftAcross * area) / width ** 2, (settings.shiftDown * area) / height ** 2);
  const search = () =>
    kernels.fillSearch(
      pixels.at,
      width,
      height,
      side,
      ...from,
      sources.at,
      sources.view.length,
      isSource.at,
      nearest.at,
      distances.at,
      blocks.asked.at,
      blocks.wide.at,
      blocks.squares.at,
      blocks.marked.at,
      blocks.columns.at,
      finest ? 1 : 2,
      reachPx || Math.max(width, height) >> 1,
      reachPx === 0 ? 1 : 0,
      random.integer(1, 0x7fffffff),
    );
  const vote = (sharpness: number) => {
    const found = [nearest.at, distances.at, weights.at, sums.at, totals.at] as const;
    kernels.fillVote(pixels.at, width, side, ...voters, ...list, ...found, sharpness);
  };

  if (coarse) {
    blocks.coarse.view.set(coarse.nearest);
    const before = [blocks.coarse.at, coarse.width, coarse.height, coarse.side] as const;
    kernels.fillRefine(...before, width, height, side, ...from, isSource.at, nearest.at);
  } else {
    const { inwards, stride, starts } = planPeel(missing, depth, found.sources.length, random);
    const work = new Int32Array(sums.view.buffer, sums.at, missing.length * 2);
    work.set(inwards);
    work.set(starts, missing.length);
    const [startsAt, coloursAt, workAt] = [4, 8, 12].map((bytes) => sums.at + missing.length * bytes);
    kernels.fillPeel(
      ...[pixels.at, hole.at, width, height, side, sums.at, missing.length, totals.at, startsAt],
      ...[sources.at, found.sources.length, stride, nearest.at, blocks.asked.at, distances.at, coloursAt, workAt],
    );
  }
  const unset = new Int32Array(sums.view.buffer, sums.at, kernels.fillUnset(...from, nearest.at, sums.at));
  for (const target of unset) nearest.view[target] = found.sources[random.integer(0, found.sources.length - 1)];
  // Nothing is known of distances yet: only trust counts.
  if (coarse) vote(0);
  for (let turn = 0; turn < turns; turn++) {
    search();
    vote(settings.sharpness / (2 * kernels.fillQuartile(distances.at, ...from, totals.at)));
  }
  if (finest) {
    search();
    const { choices, wanted, unknowns } = blocks;
    kernels.fillChoose(width, count, side, ...from, ...list, nearest.at, distances.at, sums.at, choices.at);
    const { screen, tolerance, relaxation, sweeps } = settings;
    const frame = [pixels.at, hole.at, width, height] as const;
    const system = [choices.at, sums.at, wanted.at, unknowns.at] as const;
    kernels.fillGradients(...frame, ...list, ...system, isSource.at, screen, tolerance);
    const unknown = [unknowns.at, missing.length, sums.at, wanted.at, blocks.rows.at, blocks.runs.at] as const;
    kernels.fillBlend(pixels.at, width, height, ...unknown, screen, relaxation, sweeps);
  }
  // The finest level's field is nobody's start; of coarser ones nothing else is used.
  if (finest) level.pixels.set(pixels.view);
  const field = { side, width, height, nearest: finest ? nearest.view : nearest.view.slice() };
  return { field, choices: blocks.choices.view };
}
