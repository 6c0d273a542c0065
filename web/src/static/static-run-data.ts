import type { RunColumns } from '../../../src/contracts/explore/columns.ts';
import { filterFromQuery, layoutSchema } from '../../../src/contracts/explore/filter.ts';
import { prepareMatch } from '../../../src/contracts/explore/match.ts';
import { unpackColumns } from '../../../src/contracts/explore/pack.ts';
import { selectVariants } from '../../../src/contracts/explore/select.ts';
import { crossTally, type TallyAxis, tallyFacets } from '../../../src/contracts/explore/tally.ts';
import { describeTiles } from '../../../src/contracts/explore/tiles.ts';
import { tileBlock } from '../../../src/contracts/studio/explore.ts';
import type { RunData } from '../explore/run-data.ts';
import { staticChoice } from './map.ts';

const loaded = new Map<string, Promise<RunColumns>>();

/** The columns of a run, from the file beside the page. */
export function staticColumns(run: string): Promise<RunColumns> {
  const known = loaded.get(run);
  if (known) return known;
  const columns = fetch(`./data/${encodeURIComponent(run)}/answers.bin`)
    .then((response) => response.arrayBuffer())
    .then(unpackColumns);
  loaded.set(run, columns);
  return columns;
}

const ask = async (run: string, query: URLSearchParams) => {
  const columns = await staticColumns(run);
  return { columns, match: prepareMatch(columns, filterFromQuery(query), await staticChoice(run, columns, query)) };
};

/** The same questions as the server's, answered in the browser by the same code. */
export const staticRunData: RunData = {
  async explore(run, query) {
    const { columns, match } = await ask(run, query);
    const { order, answers, wrong, groups } = selectVariants(
      columns,
      match,
      layoutSchema.parse(Object.fromEntries(query)),
    );
    return {
      ...{ variants: order.length, answers, wrong, groups, facets: tallyFacets(columns, match) },
      ...{ models: columns.models, factsKnown: 1, of: columns.rowFlags.length },
      first: describeTiles(columns, match, order.subarray(0, tileBlock.count)),
    };
  },
  async variants(run, query, from, count) {
    const { columns, match } = await ask(run, query);
    const { order } = selectVariants(columns, match, layoutSchema.parse(Object.fromEntries(query)));
    return { from, tiles: describeTiles(columns, match, order.subarray(from, from + count)) };
  },
  async cross(run, query, rows, across) {
    const { columns, match } = await ask(run, query);
    return crossTally(columns, match, [rows as TallyAxis, across as TallyAxis]);
  },
  pictureUrl: (run, picture) => staticPictureUrl(run, picture),
};

/** Exported pictures lie by the places of scenario and sample: names may hold anything, numbers need no escaping. */
export function staticPictureUrl(
  run: string,
  { sample, scenario, view = 'picture' }: { sample: string; scenario: string; view?: string },
): string {
  const columns = ready.get(run);
  const [s, c] = [columns?.places.get(sample) ?? -1, columns?.scenarios.indexOf(scenario) ?? -1];
  return `./data/${encodeURIComponent(run)}/pictures/${c}/${s}${view === 'picture' ? '.webp' : `-${view}.png`}`;
}

const ready = new Map<string, { places: ReadonlyMap<string, number>; scenarios: readonly string[] }>();
/** Must have been called before pictures of the run are asked for. */
export async function prepareStatic(run: string): Promise<void> {
  const { samples, scenarios } = await staticColumns(run);
  ready.set(run, { places: new Map(samples.map((sample, s) => [sample, s])), scenarios });
}
