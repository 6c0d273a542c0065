import { type Explored, tileBlock, type VariantTile } from '../../../src/contracts/studio/explore.ts';
import { headOf } from './query.ts';
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
  /** Its photograph is here, or will not come: its own picture may be asked for. */
  isSettled(tile: number): boolean;
  /** Loads what is missing of these, and the blocks beside them after that. */
  want(from: number, to: number): Promise<void>;
  stop(): void;
}

interface Block {
  /** Done when there is nothing more to wait for. */
  loaded?: Promise<void>;
  tiles?: readonly VariantTile[];
  /** Held, so that the browser keeps it decoded. */
  sheet?: HTMLImageElement;
  sheetState?: 'coming' | 'here' | 'none';
}

/** So many blocks are asked for on the side that is scrolled to. */
const blocksAhead = 2;

export function createTileStore(
  run: string,
  filter: URLSearchParams,
  { variants: total, first, of, partial }: Explored,
  onLoad: () => void,
): TileStore {
  const query = partial ? headOf(filter) : filter;
  const blocks = new Map<number, Block>();
  const stopped = new AbortController();
  let lastFrom = 0;
  let turn = 0;
  const loadSheet = async (number: number, block: Block) => {
    const url = runData.sheetUrl?.(run, query, { from: number * tileBlock.count, of });
    if (url === undefined) return;
    block.sheetState = 'coming';
    block.sheet = new Image();
    block.sheet.src = url;
    block.sheetState = await block.sheet.decode().then(
      () => 'here' as const,
      () => 'none' as const,
    );
    onLoad();
  };
  const loadTiles = async (number: number, block: Block) => {
    if (block.tiles) return;
    try {
      const from = number * tileBlock.count;
      block.tiles = (await runData.variants(run, query, from, tileBlock.count, stopped.signal)).tiles;
      onLoad();
    } catch {
      blocks.delete(number);
    }
  };
  const load = async (number: number): Promise<void> => {
    if (number < 0 || number * tileBlock.count >= total) return;
    const known = blocks.get(number);
    if (known) return known.loaded;
    const block: Block = number === 0 ? { tiles: first } : {};
    blocks.set(number, block);
    block.loaded = Promise.all([loadSheet(number, block), loadTiles(number, block)]).then(() => undefined);
    return block.loaded;
  };
  const blockOf = (tile: number) => blocks.get(Math.floor(tile / tileBlock.count));
  return {
    get: (tile) => blockOf(tile)?.tiles?.[tile % tileBlock.count],
    cell(tile) {
      const block = blockOf(tile);
      if (block?.sheetState !== 'here' || !block.sheet) return undefined;
      const place = tile % tileBlock.count;
      return {
        url: block.sheet.src,
        column: place % tileBlock.columns,
        row: Math.floor(place / tileBlock.columns),
      };
    },
    isSettled: (tile) => blockOf(tile)?.sheetState !== 'coming',
    async want(from, to) {
      const own = ++turn;
      const { count } = tileBlock;
      const [first, last] = [Math.floor(from / count), Math.floor(Math.max(from, to - 1) / count)];
      const isUp = from < lastFrom;
      lastFrom = from;
      await Promise.all(Array.from({ length: last - first + 1 }, (_, i) => load(first + i)));
      // The user has scrolled on: the newer call loads the neighbouring blocks.
      if (own !== turn) return;
      for (let step = 1; step <= blocksAhead; step++) void load(isUp ? first - step : last + step);
      void load(isUp ? last + 1 : first - 1);
    },
    stop() {
      stopped.abort();
      for (const { sheet, sheetState } of blocks.values()) if (sheet && sheetState === 'coming') sheet.src = '';
    },
  };
}
