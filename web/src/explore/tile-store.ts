import { type Explored, tileBlock, type VariantTile } from '../../../src/contracts/studio/explore.ts';
import { runData } from './run-data.ts';

/** A square of a sheet of photographs that is here. */
export interface SheetCell {
  readonly url: string;
  readonly column: number;
  readonly row: number;
}

/** The tiles of one question, loaded block by block as they come into sight. */
export interface TileStore {
  get(tile: number): VariantTile | undefined;
  /** What a tile shows before its own picture is made. */
  cell(tile: number): SheetCell | undefined;
  /** Loads what is missing of these, and the blocks beside them after that. */
  want(from: number, to: number): void;
  stop(): void;
}

interface Block {
  tiles?: readonly VariantTile[];
  /** Held, so that the browser keeps it decoded. */
  sheet?: HTMLImageElement;
  isSheetHere?: boolean;
}

/** So many blocks are asked for on the side that is scrolled to. */
const blocksAhead = 2;

export function createTileStore(
  run: string,
  query: URLSearchParams,
  { variants: total, first, of }: Explored,
  onLoad: () => void,
): TileStore {
  const blocks = new Map<number, Block>();
  const stopped = new AbortController();
  let lastFrom = 0;
  const loadSheet = (number: number, block: Block) => {
    const url = runData.sheetUrl?.(run, query, { from: number * tileBlock.count, of });
    if (url === undefined) return;
    block.sheet = new Image();
    block.sheet.src = url;
    block.sheet.decode().then(
      () => {
        block.isSheetHere = true;
        onLoad();
      },
      // Without it the tiles wait for their own pictures.
      () => undefined,
    );
  };
  const load = async (number: number) => {
    const from = number * tileBlock.count;
    if (from < 0 || from >= total || blocks.has(number)) return;
    const block: Block = number === 0 ? { tiles: first } : {};
    blocks.set(number, block);
    loadSheet(number, block);
    if (block.tiles) return;
    try {
      block.tiles = (await runData.variants(run, query, from, tileBlock.count, stopped.signal)).tiles;
      onLoad();
    } catch {
      blocks.delete(number);
    }
  };
  const blockOf = (tile: number) => blocks.get(Math.floor(tile / tileBlock.count));
  return {
    get: (tile) => blockOf(tile)?.tiles?.[tile % tileBlock.count],
    cell(tile) {
      const block = blockOf(tile);
      if (!block?.isSheetHere || !block.sheet) return undefined;
      const place = tile % tileBlock.count;
      return {
        url: block.sheet.src,
        column: place % tileBlock.columns,
        row: Math.floor(place / tileBlock.columns),
      };
    },
    want(from, to) {
      const { count } = tileBlock;
      const [first, last] = [Math.floor(from / count), Math.floor(Math.max(from, to - 1) / count)];
      for (let block = first; block <= last; block++) void load(block);
      // The server makes the pictures of what it names, so the side that is scrolled to comes first.
      const isUp = from < lastFrom;
      lastFrom = from;
      for (let step = 1; step <= blocksAhead; step++) void load(isUp ? first - step : last + step);
      void load(isUp ? last + 1 : first - 1);
    },
    stop() {
      stopped.abort();
      for (const { sheet, isSheetHere } of blocks.values()) if (sheet && !isSheetHere) sheet.src = '';
    },
  };
}
