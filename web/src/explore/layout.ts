import type { Group } from '../../../src/contracts/studio/explore.ts';

/** Where everything lies in a grid far too long to build: rows of tiles, and a head for each group. */
export interface GridLayout {
  readonly columns: number;
  readonly tilePx: number;
  readonly rowPx: number;
  readonly heightPx: number;
  /** What lies between two heights. */
  visible(top: number, bottom: number): { heads: Head[]; from: number; to: number };
  /** Top of a tile, and its column. */
  positionOf(tile: number): { top: number; column: number };
}

export interface Head {
  readonly group: number;
  readonly top: number;
}

export interface GridSizes {
  readonly widthPx: number;
  /** Least width of a tile, without the gap. */
  readonly tilePx: number;
  readonly captionPx: number;
  readonly gapPx: number;
  readonly headPx: number;
}

export function layOut(
  groups: readonly Group[],
  { widthPx, tilePx: least, captionPx, gapPx, headPx }: GridSizes,
): GridLayout {
  const columns = Math.max(1, Math.floor((widthPx + gapPx) / (least + gapPx)));
  const tilePx = Math.floor((widthPx + gapPx) / columns) - gapPx;
  const rowPx = tilePx + captionPx + gapPx;
  const named = groups.length > 1 || (groups[0]?.name ?? '') !== '';
  const head = named ? headPx : 0;
  const tops = new Float64Array(groups.length + 1);
  const firsts = new Float64Array(groups.length + 1);
  for (const [g, { count }] of groups.entries()) {
    tops[g + 1] = tops[g] + head + Math.ceil(count / columns) * rowPx;
    firsts[g + 1] = firsts[g] + count;
  }
  return {
    columns,
    tilePx,
    rowPx,
    heightPx: tops[groups.length],
    visible(top, bottom) {
      const heads: Head[] = [];
      let [from, to] = [Number.POSITIVE_INFINITY, 0];
      for (let g = lastAtMost(tops, top, groups.length - 1); g < groups.length && tops[g] < bottom; g++) {
        if (named) heads.push({ group: g, top: tops[g] });
        const below = tops[g] + head;
        const firstRow = Math.max(0, Math.floor((top - below) / rowPx));
        const lastRow = Math.ceil((bottom - below) / rowPx);
        const first = firsts[g] + Math.min(groups[g].count, firstRow * columns);
        const last = firsts[g] + Math.min(groups[g].count, Math.max(0, lastRow) * columns);
        if (last > first) [from, to] = [Math.min(from, first), Math.max(to, last)];
      }
      return { heads, from: Math.min(from, to), to };
    },
    positionOf(tile) {
      const g = lastAtMost(firsts, tile, groups.length - 1);
      const within = tile - firsts[g];
      return { top: tops[g] + head + Math.floor(within / columns) * rowPx, column: within % columns };
    },
  };
}

/** The last place in a rising list whose value is at most this; empty groups are passed over. */
function lastAtMost(values: Float64Array, value: number, most: number): number {
  let [low, high] = [0, Math.max(0, most)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (values[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
