import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { describeSample } from '../contracts/explore/sample.ts';
import { overlayPath } from '../contracts/saliency.ts';
import { askedVariantSchema, type BestAnswers, type SamplePage } from '../contracts/studio/sample.ts';
import { readSaliency } from '../explain/read.ts';
import { createLru } from '../run/lru.ts';
import { notFound } from './errors.ts';
import { type LiveModels, openLiveModel } from './live-models.ts';
import type { OpenRuns } from './open-runs.ts';
import type { Workspace } from './workspace.ts';

/** Opened networks that are kept; each holds its file several times over. */
const mostModels = 16;
const mapBytes = 32 * 2 ** 20;

export function sampleRoutes(workspace: Workspace, runs: OpenRuns): { routes: Hono; close(): Promise<void> } {
  const models = new Map<string, Promise<LiveModels>>();
  const modelOf = async (runId: string, name: string) => {
    const key = `${runId}\n${name}`;
    const known = models.get(key) ?? openLiveModel(await runs.open(runId), name);
    models.delete(key);
    models.set(key, known);
    known.catch(() => models.delete(key));
    for (const [oldest, model] of models) {
      if (models.size <= mostModels) break;
      models.delete(oldest);
      void model.then((opened) => opened.close());
    }
    return known;
  };
  const maps = createLru<Uint8Array>(mapBytes, (bytes) => bytes.length);

  const routes = new Hono()
    .get('/runs/:run/sample', async (c) => {
      const run = await runs.open(c.req.param('run'));
      const page = describeSample(await run.columns(), c.req.query('id') ?? '');
      if (!page) throw notFound(`The run has no sample ${c.req.query('id') ?? ''}`);
      const saliency = await readSaliency(run.place.path).catch(() => null);
      const stored = (saliency?.rows ?? []).filter(({ sample }) => sample === page.sample);
      return c.json({
        ...page,
        saliency: stored.map(({ model, scenario }) => ({ model, scenario })),
      } satisfies SamplePage);
    })
    .post('/runs/:run/answers', async (c) => {
      const { sample, scenario, model } = askedVariantSchema.parse(await c.req.json());
      const scenes = await (await runs.open(c.req.param('run'))).scenes();
      const opened = await modelOf(c.req.param('run'), model);
      const best = await opened.best(
        scenes.sampleOf(sample, scenario),
        scenario,
        await scenes.pixels(sample, scenario),
      );
      return c.json({ model, best } satisfies BestAnswers);
    })
    .get('/runs/:run/saliency', async (c) => {
      const asked = askedVariantSchema.parse(c.req.query());
      const run = await runs.open(c.req.param('run'));
      // The large ones show photograph and map side by side; here the slider does that.
      const file = join(run.place.path, 'saliency', overlayPath(asked, 'small'));
      const stored = await workspace
        .allowed(file)
        .then((real) => readFile(real))
        .catch(() => undefined);
      c.header('cache-control', 'private, max-age=600');
      if (stored) {
        c.header('content-type', 'image/webp');
        return c.body(new Uint8Array(stored));
      }
      const scenes = await run.scenes();
      const bytes = await maps(JSON.stringify([run.place.path, asked]), async () => {
        const opened = await modelOf(c.req.param('run'), asked.model);
        const { sample, scenario } = asked;
        return opened.explain(scenes.sampleOf(sample, scenario), scenario, await scenes.pixels(sample, scenario));
      });
      c.header('content-type', 'image/webp');
      return c.body(new Uint8Array(bytes));
    });
  return {
    routes,
    close: async () => {
      await Promise.all([...models.values()].map((model) => model.then((opened) => opened.close()).catch(() => {})));
    },
  };
}
