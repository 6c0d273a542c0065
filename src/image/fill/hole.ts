import type { Mask } from '../raster.ts';
import { workspace } from './workspace.ts';

/** What is to be filled: 255 in the hole, 0 where the photograph is known. */
export type Hole = Mask;

interface Depths {
  /** In thirds of a pixel. */
  readonly distances: Int32Array;
  readonly largest: number;
}

const measured = new WeakMap<Hole, Depths>();

/**
 * Distance of every missing pixel to the nearest known one, by the 3–4 chamfer (Borgefors 1986), in thirds of a pixel; found
 * once for each hole.
 */
export function depths(hole: Hole): Depths {
  const known = measured.get(hole);
  if (known) return known;
  const found = measure(hole);
  measured.set(hole, found);
  return found;
}

function measure({ width, height, data }: Hole): Depths {
  const { kernels, blocks } = workspace({
    hole: ['bytes', width * height],
    padded: ['integers', paddedLength(width, height)],
    distances: ['integers', width * height],
  });
  const { hole, padded, distances } = blocks;
  hole.view.set(data);
  const largest = kernels.fillChamfer(hole.at, width, height, 0, padded.at, distances.at);
  return { distances: distances.view.slice(), largest };
}

/** A border of far pixels all round, so that no neighbour needs checking. */
const paddedLength = (width: number, height: number) => (width + 8) * (height + 2);

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
  const { kernels, blocks } = workspace({
    hole: ['bytes', data.length],
    padded: ['integers', paddedLength(width, height)],
    near: ['integers', data.length],
    sources: ['integers', sources.length],
    corners: ['integers', (width + 1) * (height + 1)],
    counted: ['integers', 2],
  });
  blocks.hole.view.set(data);
  blocks.sources.view.set(sources);
  blocks.corners.view.fill(0);
  kernels.fillChamfer(blocks.hole.at, width, height, 255, blocks.padded.at, blocks.near.at);
  const reach = Math.floor(3 * Math.max(width, height) * reachShare);
  const list = [blocks.sources.at, sources.length] as const;
  const room = [blocks.corners.at, blocks.counted.at] as const;
  kernels.fillCoverage(blocks.hole.at, blocks.near.at, width, height, side, ...list, reach, ...room);
  const [known, covered] = blocks.counted.view;
  return known === 0 ? 0 : covered / known;
}
