import { join } from 'node:path';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import {
  type AnnotateDataset,
  type AnnotateDatasets,
  type AnnotateFound,
  annotateCutSchema,
  annotateFindSchema,
  annotateRefineSchema,
  annotateSaveSchema,
  annotateShowSchema,
} from '../contracts/studio/annotate.ts';
import type { AnnotateInit } from './annotate/annotate-job.ts';
import { type AnnotatedDataset, openAnnotated, type ReadingOptions } from './annotate/annotated-dataset.ts';
import { notFound } from './errors.ts';
import { madeManifest, type Workspace } from './workspace.ts';

export interface AnnotateOptions {
  readonly reading?: ReadingOptions;
  /** The user named the folder that masks go to. */
  readonly isChosen?: boolean;
  readonly model?: AnnotateInit['model'];
}

/** So many datasets are held open; the one asked for longest ago is closed. */
const mostOpen = 3;
const pageSchema = z.object({
  show: annotateShowSchema,
  from: z.coerce.number().int().min(0).default(0),
  count: z.coerce.number().int().min(1).max(500).default(60),
});

export function annotateRoutes(
  workspace: Workspace,
  { reading = {}, isChosen = false, model }: AnnotateOptions = {},
): { readonly routes: Hono; close(): Promise<void> } {
  const held = new Map<string, Promise<AnnotatedDataset>>();
  const open = async (id: string): Promise<AnnotatedDataset> => {
    const place = (await workspace.datasets()).find((dataset) => dataset.id === id);
    if (!place || !workspace.isGiven(place.path))
      throw notFound(`There is no dataset '${id}' to draw masks for; name it when you start sceneshift studio`);
    const folder = workspace.masksFolder(place.path);
    const known = held.get(place.path) ?? openAnnotated({ place, workspace, reading, folder, isChosen, model });
    held.delete(place.path);
    held.set(place.path, known);
    known.catch(() => held.delete(place.path));
    for (const [path, oldest] of held) {
      if (held.size <= mostOpen) break;
      held.delete(path);
      void oldest.then((dataset) => dataset.close()).catch(() => {});
    }
    return known;
  };
  const sampleOf = (query: Record<string, string>) => z.object({ sample: z.string() }).parse(query).sample;

  const routes = new Hono()
    .get('/annotate', async (c) => {
      const all = await workspace.datasets();
      const given = all.filter(({ path }) => workspace.isGiven(path));
      const made = given.map(({ path }) => join(workspace.masksFolder(path), madeManifest));
      const others = all.filter(({ path }) => !workspace.isGiven(path) && !made.includes(path));
      return c.json({
        datasets: given.map(({ id, name }) => ({ id, name })),
        others: others.map(({ name }) => ({ name })),
      } satisfies AnnotateDatasets);
    })
    .get('/annotate/:dataset', async (c) => {
      const { show, from, count } = pageSchema.parse(c.req.query());
      const opened = await open(c.req.param('dataset'));
      const all = await workspace.datasets();
      const { path } = await workspace.dataset(c.req.param('dataset'));
      const manifest = join(workspace.masksFolder(path), madeManifest);
      const made = all.find((dataset) => dataset.path === manifest)?.id ?? null;
      return c.json({ ...opened.describe(show, from, count), made } satisfies AnnotateDataset);
    })
    .get('/annotate/:dataset/turn', async (c) => {
      const { show, sample } = z
        .object({ show: annotateShowSchema, sample: z.string().optional() })
        .parse(c.req.query());
      return c.json(await (await open(c.req.param('dataset'))).turn(sample, show));
    })
    .get('/annotate/:dataset/version', async (c) =>
      c.json(await (await open(c.req.param('dataset'))).version(sampleOf(c.req.query()))),
    )
    .get('/annotate/:dataset/picture', async (c) => {
      const { bytes, type } = await (await open(c.req.param('dataset'))).picture(sampleOf(c.req.query()));
      c.header('content-type', type);
      return c.body(new Uint8Array(bytes));
    })
    .get('/annotate/:dataset/tile', async (c) => {
      const bytes = await (await open(c.req.param('dataset'))).tile(sampleOf(c.req.query()));
      c.header('content-type', 'image/webp');
      return c.body(new Uint8Array(bytes));
    })
    .put('/annotate/:dataset/mask', async (c) => {
      const ifVersion = c.req.header('if-match')?.replaceAll('"', '');
      if (!ifVersion)
        throw new HTTPException(428, {
          message: 'Expected the version that was opened (If-Match); load the page again',
        });
      const { sample, objects, runs } = annotateSaveSchema.parse(await c.req.json().catch(() => null));
      return c.json(await (await open(c.req.param('dataset'))).save(sample, objects, runs, ifVersion));
    })
    .post('/annotate/:dataset/cut', async (c) => {
      const { sample, ...asked } = annotateCutSchema.parse(await c.req.json().catch(() => null));
      const runs = await (await open(c.req.param('dataset'))).find(sample, { kind: 'cut', ...asked });
      return c.json({ runs } satisfies AnnotateFound);
    })
    .post('/annotate/:dataset/find', async (c) => {
      const { sample } = annotateFindSchema.parse(await c.req.json().catch(() => null));
      const runs = await (await open(c.req.param('dataset'))).find(sample, { kind: 'find' });
      return c.json({ runs } satisfies AnnotateFound);
    })
    .post('/annotate/:dataset/refine', async (c) => {
      const { sample, runs: sent } = annotateRefineSchema.parse(await c.req.json().catch(() => null));
      const runs = await (await open(c.req.param('dataset'))).find(sample, { kind: 'refine', runs: sent });
      return c.json({ runs } satisfies AnnotateFound);
    });
  return {
    routes,
    close: async () => {
      await Promise.all([...held.values()].map((dataset) => dataset.then((open) => open.close()).catch(() => {})));
    },
  };
}
