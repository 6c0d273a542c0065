import { Hono } from 'hono';
import { z } from 'zod';
import type { OpenRuns } from './open-runs.ts';
import { variantViews } from './variant-job.ts';

/** Few sizes, so that a picture is made once for all who ask. */
const sizes = [160, 320, 1024] as const;

const askedSchema = z.object({
  sample: z.string(),
  scenario: z.string().default('original'),
  view: z.enum(variantViews).default('picture'),
  size: z.coerce
    .number()
    .pipe(z.union(sizes.map((size) => z.literal(size))))
    .default(320),
});

export function pictureRoutes(runs: OpenRuns): Hono {
  return new Hono().get('/runs/:run/picture', async (c) => {
    const { sample, scenario, view, size } = askedSchema.parse(c.req.query());
    const scenes = await (await runs.open(c.req.param('run'))).scenes();
    const { bytes, type } = await scenes.picture(sample, scenario, view, size);
    c.header('content-type', type);
    c.header('cache-control', 'private, max-age=600');
    return c.body(new Uint8Array(bytes));
  });
}
