import type { CrossTally, Explored, VariantPage } from '../../../src/contracts/studio/explore.ts';
import { apiUrl, get, isStatic } from '../api.ts';
import { staticRunData } from '../static/static-run-data.ts';

/** Where answers and pictures of a run come from: the server, or the files of an exported site. */
export interface RunData {
  explore(run: string, query: URLSearchParams, signal?: AbortSignal): Promise<Explored>;
  variants(
    run: string,
    query: URLSearchParams,
    from: number,
    count: number,
    signal?: AbortSignal,
  ): Promise<VariantPage>;
  cross(run: string, query: URLSearchParams, rows: string, columns: string, signal?: AbortSignal): Promise<CrossTally>;
  pictureUrl(run: string, picture: Picture): string;
  /** The photographs of a block of tiles on one sheet; an exported site has its pictures ready instead. */
  sheetUrl?(run: string, query: URLSearchParams, place: { from: number; of: number }): string;
}

export interface Picture {
  readonly sample: string;
  readonly scenario: string;
  readonly view?: 'picture' | 'mask' | 'border';
  readonly size: 160 | 320 | 1024;
}

const withParams = (query: URLSearchParams, more: Record<string, string | number>) => {
  const params = new URLSearchParams(query);
  for (const [key, value] of Object.entries(more)) params.set(key, String(value));
  return params;
};

const liveRunData: RunData = {
  explore: (run, query, signal) => get(['runs', run, 'explore'], { query, signal }),
  variants: (run, query, from, count, signal) =>
    get(['runs', run, 'variants'], { query: withParams(query, { from, count }), signal }),
  cross: (run, query, rows, columns, signal) =>
    get(['runs', run, 'cross'], { query: withParams(query, { rows, columns }), signal }),
  pictureUrl: (run, { sample, scenario, view, size }) =>
    apiUrl(['runs', run, 'picture'], { sample, scenario, view, size }),
  sheetUrl: (run, query, place) => apiUrl(['runs', run, 'sheet'], withParams(query, place)),
};

export const runData: RunData = isStatic ? staticRunData : liveRunData;
