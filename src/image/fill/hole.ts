import type { Mask } from '../raster.ts';
import { workspace } from './workspace.ts';

/** What is to be filled: 255 in the hole, 0 where the photograph is known. */
export type Hole = Mask;

interface Depths {
  /** In thirds of a pixel. */
  readonly distances: Int32Array;
  readonly largest: number;
}

const measured = { 0: new WeakMap<Hole, Depths>(), 255: new WeakMap<Hole, Depths>() };

/**
 * Distance of every pixel to the nearest pixel of value `to`, by the 3–4 chamfer (Borgefors 1986), in thirds of a pixel;
 * found once for each hole.
 */
export function chamfer(hole: Hole, to: 0 | 255): Depths {
  const known = measured[to].get(hole);
  if (known) return known;
  const found = measure(hole, to);
  measured[to].set(hole, found);
  return found;
}

function measure({ width, height, data }: Hole, to: 0 | 255): Depths {
  const { kernels, blocks } = workspace({
    hole: ['bytes', width * height],
    // A border of far pixels all round, so that no neighbour needs checking.
    padded: ['integers', (width + 8) * (height + 2)],
    distances: ['integers', width * height],
  });
  const { hole, padded, distances } = blocks;
  hole.view.set(data);
  const largest = kernels.fillChamfer(hole.at, width, height, to, padded.at, distances.at);
  return { distances: distances.view.slice(), largest };
}

/** Indices of the missing pixels, row by row. */
export function missingPixels({ data }: Hole): Int32Array {
  const { kernels, blocks } = workspace({ hole: ['bytes', data.length], list: ['integers', data.length + 1] });
  blocks.hole.view.set(data);
  return blocks.list.view.slice(0, kernels.fillMissing(blocks.hole.at, data.length, blocks.list.at));
}

export interface Patches {
  /** Those that meet the hole, by the index of their top-left pixel. */
  readonly targets: Int32Array;
  /** Those that do not, to copy from, as y << 16 | x. */
  readonly sources: Int32Array;
}

const found = new WeakMap<Hole, Map<number, Patches>>();

/** All `side`×`side` patches inside the frame; found once for each hole and side. */
export function patches(hole: Hole, side: number): Patches {
  const bySide = found.get(hole) ?? new Map<number, Patches>();
  found.set(hole, bySide);
  const made = bySide.get(side) ?? findPatches(hole, side);
  bySide.set(side, made);
  return made;
}

function findPatches({ width, height, data }: Hole, side: number): Patches {
  const all = Math.max(0, width - side + 1) * Math.max(0, height - side + 1);
  if (all === 0) return { targets: new Int32Array(0), sources: new Int32Array(0) };
  const { kernels, blocks } = workspace({
    hole: ['bytes', data.length],
    columns: ['integers', width],
    targets: ['integers', all + 1],
    sources: ['integers', all + 1],
  });
  const { hole, columns, targets, sources } = blocks;
  hole.view.set(data);
  const count = kernels.fillPatches(hole.at, width, height, side, columns.at, targets.at, sources.at);
  return { targets: targets.view.slice(0, count), sources: sources.view.slice(0, all - count) };
}

/**
 * Share of the known pixels near the hole that lie in at least one source patch. Where it is low, what borders the hole
 * could not be continued with patches of this size.
 */
export function coverage(hole: Hole, side: number, sources: Int32Array, { reachShare = 0.1 } = {}): number {
  const { width, height, data } = hole;
  const near = chamfer(hole, 255).distances;
  const { kernels, blocks } = workspace({
    hole: ['bytes', data.length],
    near: ['integers', data.length],
    sources: ['integers', sources.length],
    corners: ['integers', (width + 1) * (height + 1)],
    counted: ['integers', 2],
  });
  blocks.hole.view.set(data);
  blocks.near.view.set(near);
  blocks.sources.view.set(sources);
  blocks.corners.view.fill(0);
  const reach = 3 * Math.max(width, height) * reachShare;
  const list = [blocks.sources.at, sources.length] as const;
  const room = [blocks.corners.at, blocks.counted.at] as const;
  kernels.fillCoverage(blocks.hole.at, blocks.near.at, width, height, side, ...list, reach, ...room);
  const [known, covered] = blocks.counted.view;
  return known === 0 ? 0 : covered / known;
}
