import type { VariantTile } from '../../../src/contracts/studio/explore.ts';
import { runData } from './run-data.ts';

const blockSize = 100;

/** The tiles of one question, loaded block by block as they come into sight. */
export interface TileStore {
  get(tile: number): VariantTile | undefined;
  /** Loads what is missing of these, and the blocks beside them after that. */
  want(from: number, to: number): void;
  stop(): void;
}

export function createTileStore(run: string, query: URLSearchParams, total: number, onLoad: () => void): TileStore {
  const blocks = new Map<number, readonly VariantTile[] | 'asked'>();
  const stopped = new AbortController();
  let lastFrom = 0;
  const load = async (block: number) => {
    if (block < 0 || block * blockSize >= total || blocks.has(block)) return;
    blocks.set(block, 'asked');
    try {
      const page = await runData.variants(run, query, block * blockSize, blockSize, stopped.signal);
      blocks.set(block, page.tiles);
      onLoad();
    } catch {
      blocks.delete(block);
    }
  };
  return {
    get(tile) {
      const block = blocks.get(Math.floor(tile / blockSize));
      return block && block !== 'asked' ? block[tile % blockSize] : undefined;
    },
    want(from, to) {
      const [first, last] = [Math.floor(from / blockSize), Math.floor(Math.max(from, to - 1) / blockSize)];
      for (let block = first; block <= last; block++) void load(block);
      // The server makes the pictures of what it names, so the side that is scrolled to comes first.
      const isUp = from < lastFrom;
      lastFrom = from;
      for (const block of isUp ? [first - 1, last + 1] : [last + 1, first - 1]) void load(block);
    },
    stop: () => stopped.abort(),
  };
}
