import { Hono } from 'hono';
import { z } from 'zod';
import type { RunColumns } from '../contracts/explore/columns.ts';
import { type Filter, filterFromQuery, type Layout, layoutSchema } from '../contracts/explore/filter.ts';
import { type Match, prepareMatch } from '../contracts/explore/match.ts';
import { type Selection, selectVariants } from '../contracts/explore/select.ts';
import { crossTally, tallyAxes, tallyFacets } from '../contracts/explore/tally.ts';
import { describeTiles } from '../contracts/explore/tiles.ts';
import { type Explored, type Facets, tileBlock, type VariantPage } from '../contracts/studio/explore.ts';
import { notFound } from './errors.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';

const pageSchema = z.object({
  from: z.coerce.number().int().min(0).default(0),
  count: z.coerce.number().int().min(1).max(500).default(100),
});
const sheetSchema = z.object({
  from: z.coerce.number().int().min(0),
  of: z.coerce.number().int().min(0),
});
const axesSchema = z.object({ rows: z.enum(tallyAxes), columns: z.enum(tallyAxes) });

interface Found {
  readonly columns: RunColumns;
  readonly match: Match;
  readonly selection: Selection;
  /** Of the first answers alone. */
  readonly isHead: boolean;
  /** Counted when first asked for. */
  facets?: Facets;
}

/** Selections kept, so that scrolling asks nothing again; each is four bytes a variant. */
const mostSelections = 16;

/** Not known of the first answers, and so not to be chosen by among them: what is read from masks, and the map. */
const knownOfAllAlone = ['size', 'place', 'map', 'cluster', 'lasso'] as const satisfies readonly (keyof Filter)[];

/** Which variants a part of the map holds, by the filter's `cluster` and `lasso`. */
export type ChooseOnMap = (
  run: OpenRun,
  columns: RunColumns,
  query: URLSearchParams,
) => Promise<Uint8Array | undefined>;

export interface Explore {
  readonly routes: Hono;
  /** Computes what a page asks for first (all variants, the counts, the first photographs) before it is asked. */
  prepare(run: string): Promise<void>;
}

export function createExplore(runs: OpenRuns, chooseOnMap: ChooseOnMap): Explore {
  const kept = new Map<string, Found>();

  const matchOf = async (run: OpenRun, columns: RunColumns, query: URLSearchParams) =>
    prepareMatch(columns, filterFromQuery(query), await chooseOnMap(run, columns, query));

  const find = async (id: string, query: URLSearchParams): Promise<Found> => {
    const run = await runs.open(id);
    const filter = filterFromQuery(query);
    const mayBeHead = query.has('head') && !knownOfAllAlone.some((key) => filter[key] !== undefined);
    const head = mayBeHead ? await run.head() : undefined;
    if (!head) query.delete('head');
    const columns = head ?? (await run.columns());
    const layout: Layout = layoutSchema.parse(Object.fromEntries(query));
    for (const key of ['from', 'count']) query.delete(key);
    query.sort();
    const key = `${run.place.path}\n${query}`;
    const known = kept.get(key);
    // Size and place become known while one looks: a filter by them is asked again.
    const settled = !query.has('size') && !query.has('place');
    if (known?.columns === columns && settled) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const match = await matchOf(run, columns, query);
    const found: Found = { columns, match, selection: selectVariants(columns, match, layout), isHead: !!head };
    kept.set(key, found);
    for (const oldest of kept.keys()) {
      if (kept.size <= mostSelections) break;
      kept.delete(oldest);
    }
    return found;
  };

  /**
   * Has the small pictures of these tiles made ahead, since they will be shown next; does nothing where the photographs
   * are gone.
   */
  const ahead = async (id: string, tiles: readonly { sample: string; scenario: string }[]) => {
    const scenes = await (await runs.open(id)).scenes().catch(() => undefined);
    scenes?.ahead(tiles);
  };

  const sheetOf = async (id: string, { columns, selection }: Found, from: number) => {
    const variants = selection.order.subarray(from, from + tileBlock.count);
    const scenes = await (await runs.open(id)).scenes();
    return scenes.sheet(Array.from(variants, (v) => columns.samples[columns.variantSample[v]]));
  };
  const facetsOf = (found: Found): Facets => (found.facets ??= tallyFacets(found.columns, found.match));

  const routes = new Hono()
    .get('/runs/:run/explore', async (c) => {
      const found = await find(c.req.param('run'), new URL(c.req.url).searchParams);
      const { columns, match, selection } = found;
      const known = columns.facts.size.reduce((sum, size) => sum + (Number.isNaN(size) ? 0 : 1), 0);
      const explored: Explored = {
        variants: selection.order.length,
        answers: selection.answers,
        wrong: selection.wrong,
        groups: selection.groups,
        facets: facetsOf(found),
        models: columns.models,
        factsKnown: columns.samples.length ? known / columns.samples.length : 0,
        first: describeTiles(columns, match, selection.order.subarray(0, tileBlock.count)),
        of: columns.rowFlags.length,
        ...(found.isHead && { partial: true as const }),
      };
      return c.json(explored);
    })
    .get('/runs/:run/variants', async (c) => {
      const query = new URL(c.req.url).searchParams;
      const { from, count } = pageSchema.parse(Object.fromEntries(query));
      const { columns, match, selection } = await find(c.req.param('run'), query);
      const tiles = describeTiles(columns, match, selection.order.subarray(from, from + count));
      void ahead(c.req.param('run'), tiles);
      return c.json({ from, tiles } satisfies VariantPage);
    })
    .get('/runs/:run/sheet', async (c) => {
      const query = new URL(c.req.url).searchParams;
      const { from, of } = sheetSchema.parse(Object.fromEntries(query));
      query.delete('of');
      const found = await find(c.req.param('run'), query);
      if (of !== found.columns.rowFlags.length)
        throw notFound('There are more answers by now, and other pictures at this place');
      const { bytes, type } = await sheetOf(c.req.param('run'), found, from);
      c.header('content-type', type);
      c.header('cache-control', 'private, max-age=600');
      return c.body(new Uint8Array(bytes));
    })
    .get('/runs/:run/cross', async (c) => {
      const query = new URL(c.req.url).searchParams;
      const axes = axesSchema.parse(Object.fromEntries(query));
      const run = await runs.open(c.req.param('run'));
      const columns = await run.columns();
      return c.json(crossTally(columns, await matchOf(run, columns, query), [axes.rows, axes.columns]));
    });
  return {
    routes,
    async prepare(id) {
      for (const query of ['head=1', '']) {
        const found = await find(id, new URLSearchParams(query));
        facetsOf(found);
        // Without photographs the answers are still to be counted.
        await sheetOf(id, found, 0).catch(() => undefined);
      }
    },
  };
}
