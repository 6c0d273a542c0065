import { Hono, type MiddlewareHandler } from 'hono';
import { type AnnotateOptions, annotateRoutes } from './annotate.ts';
import { answerError } from './errors.ts';
import { createExplore } from './explore.ts';
import { type GuardOptions, guard, limitBody, setHeaders } from './guard.ts';
import { createMaps } from './map/map.ts';
import { mineRoutes } from './mine.ts';
import { createOpenRuns } from './open-runs.ts';
import { pageRoutes } from './page.ts';
import { pictureRoutes } from './pictures.ts';
import { queueRoutes } from './queue.ts';
import { reviewRoutes } from './review.ts';
import { runRoutes } from './runs.ts';
import { sampleRoutes } from './sample.ts';
import { scoreRoutes } from './scores.ts';
import { createRunStarter } from './start.ts';
import type { Tools } from './tools.ts';
import { tryRoutes } from './try/try.ts';
import type { Workspace } from './workspace.ts';

/** Resources that take pictures, and therefore larger bodies, by path. */
const largeBodies: readonly (readonly [RegExp, MiddlewareHandler])[] = [
  [/^\/api\/(annotate|try)\//, limitBody(64 << 20)],
];
const smallBody = limitBody();

export interface StudioOptions extends GuardOptions {
  readonly workspace: Workspace;
  /** The built page: address → file. */
  readonly page: ReadonlyMap<string, string>;
  readonly version: string;
  readonly tools: Tools;
  /** Models that runs can be started with, beside those of the runs given. */
  readonly models?: readonly string[];
  readonly annotate?: AnnotateOptions;
  /** Models that pictures are tried with where there are no others: the embedded benchmark's. */
  readonly spareModels?: readonly string[];
  /** `redis://…`: the queue whose state is shown. */
  readonly queue?: string;
}

export interface Studio {
  readonly app: Hono;
  /** Opens the newest run before anyone asks: its answers and photographs are ready when the page is. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** The whole studio; each resource is a file of its own. `app.request(…)` calls it without a port. */
export function createStudio(options: StudioOptions): Studio {
  const { workspace, page, version, tools, models = [], spareModels = [], annotate, queue, ...guarded } = options;
  const app = new Hono();
  app.onError(answerError);
  app.notFound((c) => c.json({ error: `There is nothing at ${c.req.path}` }, 404));
  app.use(setHeaders, guard(guarded));
  app.use('/api/*', (c, next) => (largeBodies.find(([path]) => path.test(c.req.path))?.[1] ?? smallBody)(c, next));
  const runs = createOpenRuns(workspace);
  const starter = createRunStarter(workspace, tools, { models, reading: annotate?.reading });
  app.route('/api', runRoutes(workspace, { started: starter, version }));
  app.route('/api', starter.routes);
  app.route('/api', scoreRoutes(workspace, tools));
  const maps = createMaps(runs);
  app.route('/api', maps.routes);
  const explore = createExplore(runs, maps.choose);
  app.route('/api', explore.routes);
  app.route('/api', pictureRoutes(runs));
  app.route('/api', mineRoutes(workspace));
  const samples = sampleRoutes(workspace, runs);
  app.route('/api', samples.routes);
  const reviews = reviewRoutes(workspace);
  app.route('/api', reviews.routes);
  const masks = annotateRoutes(workspace, annotate);
  app.route('/api', masks.routes);
  app.route('/api', queueRoutes(queue));
  const tries = tryRoutes(workspace, runs, { models, spareModels, salient: annotate?.model });
  app.route('/api', tries.routes);
  app.route('/', pageRoutes(page));
  return {
    app,
    async prepare() {
      const newest = await runs.newest();
      // What cannot be opened says why when it is asked for.
      if (newest !== undefined) await explore.prepare(newest).catch(() => undefined);
    },
    async close() {
      await starter.close();
      await maps.close();
      await samples.close();
      await reviews.close();
      await masks.close();
      await tries.close();
      await runs.close();
    },
  };
}
