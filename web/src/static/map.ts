import type { RunColumns } from '../../../src/contracts/explore/columns.ts';
import { insidePolygon } from '../../../src/contracts/explore/polygon.ts';
import type { FeatureMap } from '../../../src/contracts/studio/map.ts';
import { readData } from './read-data.ts';

/** The networks by whose features an exported site has maps. */
export const staticNetworks = (run: string): Promise<string[]> => readData([run, 'maps.json']);

export async function staticMap(run: string, network: string): Promise<FeatureMap> {
  const place = (await staticNetworks(run)).indexOf(network);
  return place < 0 ? { state: 'missing' } : readData([run, `map-${place}.json`]);
}

/** The variants that the filter's `cluster` and `lasso` leave; undefined where it has neither. */
export async function staticChoice(
  run: string,
  columns: RunColumns,
  query: URLSearchParams,
): Promise<Uint8Array | undefined> {
  const [cluster, lasso] = [query.get('cluster'), query.get('lasso')];
  if (!cluster && !lasso) return undefined;
  const map = await staticMap(run, query.get('map') ?? '');
  if (map.state !== 'ready') throw new Error('The map that this filter was drawn on is not in this site');
  const inside = lasso ? insidePolygon(lasso) : () => true;
  const wanted = new Set<string>();
  for (const [i, sample] of map.sample.entries())
    if ((!cluster || map.cluster[i] === Number(cluster) - 1) && inside(map.x[i], map.y[i]))
      wanted.add(`${map.scenario[i]}\n${sample}`);
  return Uint8Array.from(columns.variantSample, (sample, v) =>
    wanted.has(`${columns.scenarios[columns.variantScenario[v]]}\n${columns.samples[sample]}`) ? 1 : 0,
  );
}
