import { Hono } from 'hono';
import type { RunColumns } from '../../contracts/explore/columns.ts';
import { insidePolygon } from '../../contracts/explore/polygon.ts';
import { type FeatureMap, mapRequestSchema } from '../../contracts/studio/map.ts';
import { notFound } from '../errors.ts';
import type { ChooseOnMap } from '../explore.ts';
import type { OpenRun, OpenRuns } from '../open-runs.ts';
import { type BuiltMap, buildMap } from './build-map.ts';
import { describeMap } from './describe-map.ts';
import { networksOf } from './networks.ts';
import { mapName, readMap, writeMap } from './stored-map.ts';

interface Building {
  readonly made: Promise<BuiltMap>;
  readonly columns: RunColumns;
  built?: BuiltMap;
  error?: string;
  step: string;
  done: number;
  total: number;
}

export interface Maps {
  readonly routes: Hono;
  readonly choose: ChooseOnMap;
  close(): Promise<void>;
}

/** Maps of a run's variants by the features of one of its networks, made when asked for and kept in the user's cache. */
export function createMaps(runs: OpenRuns): Maps {
  const maps = new Map<string, Building>();
  const stopped = new AbortController();
  const keyOf = (run: OpenRun, model: string) => `${run.place.path}\n${model}`;

  const specOf = async (run: OpenRun, model: string) =>
    networksOf(await run.record()).find(({ name }) => name === model)?.spec;
  /** One that is made or being made here, else the one in the cache. */
  const known = async (run: OpenRun, model: string): Promise<Building | undefined> => {
    const here = maps.get(keyOf(run, model));
    const spec = here ? undefined : await specOf(run, model);
    if (!spec) return here;
    const columns = await run.columns();
    const built = await readMap(await mapName(columns, spec), columns);
    if (!built) return undefined;
    const building = { step: 'map', done: 1, total: 1, columns, built, made: Promise.resolve(built) };
    maps.set(keyOf(run, model), building);
    return building;
  };

  const build = async (run: OpenRun, model: string) => {
    const spec = await specOf(run, model);
    if (!spec) throw notFound(`The run's settings name no network ${model}`);
    const [columns, scenes] = await Promise.all([run.columns(), run.scenes()]);
    const building: Building = {
      step: 'features',
      done: 0,
      total: 0,
      columns,
      made: buildMap({
        columns,
        scenes,
        spec,
        signal: stopped.signal,
        onProgress: (step, done, total) => Object.assign(building, { step, done, total }),
      }),
    };
    maps.set(keyOf(run, model), building);
    building.made.then(
      async (built) => {
        building.built = built;
        await writeMap(await mapName(columns, spec), built);
      },
      (error: Error) => {
        building.error = error.message;
      },
    );
  };

  const choose: ChooseOnMap = async (run, columns, query) => {
    const [cluster, lasso, model] = ['cluster', 'lasso', 'map'].map((key) => query.get(key));
    if (!cluster && !lasso) return undefined;
    const built = (await known(run, model ?? ''))?.built;
    if (!built) throw notFound('The map that this filter was drawn on is not there: make it on the page Map first');
    const chosen = new Uint8Array(columns.variantSample.length);
    const inside = lasso ? insidePolygon(lasso) : () => true;
    for (const [i, variant] of built.variants.entries())
      if ((!cluster || built.cluster[i] === Number(cluster) - 1) && inside(built.x[i], built.y[i])) chosen[variant] = 1;
    return chosen;
  };

  const routes = new Hono()
    .get('/runs/:run/map/networks', async (c) => {
      const record = await (await runs.open(c.req.param('run'))).record();
      return c.json(networksOf(record).map(({ name }) => name));
    })
    .post('/runs/:run/map', async (c) => {
      const { model } = mapRequestSchema.parse(await c.req.json());
      const run = await runs.open(c.req.param('run'));
      const found = await known(run, model);
      if (!found || found.error) await build(run, model);
      return c.json({ started: true });
    })
    .get('/runs/:run/map', async (c) => {
      const { model } = mapRequestSchema.parse(c.req.query());
      const run = await runs.open(c.req.param('run'));
      const found = await known(run, model);
      if (!found) return c.json({ state: 'missing' } satisfies FeatureMap);
      if (found.error) return c.json({ state: 'failed', message: found.error } satisfies FeatureMap);
      const { step, done, total, built, columns } = found;
      if (!built) return c.json({ state: 'computing', step, done, total } satisfies FeatureMap);
      return c.json(describeMap(columns, model, built));
    });
  return {
    routes,
    choose,
    close: async () => {
      stopped.abort();
      await Promise.allSettled([...maps.values()].map(({ made }) => made));
    },
  };
}
