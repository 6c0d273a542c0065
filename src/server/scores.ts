import { Hono } from 'hono';
import { z } from 'zod';
import { comparisonSchema, segmentationComparisonSchema } from '../contracts/comparison.ts';
import { scoreSchema } from '../contracts/score.ts';
import { compareQuerySchema } from '../contracts/studio/compare-query.ts';
import { answerShards } from '../run/folder/index.ts';
import type { Tools } from './tools.ts';
import type { Workspace } from './workspace.ts';

const mostKept = 20;
const anyComparison = z.union([comparisonSchema, segmentationComparisonSchema]);

/** Numbers with intervals: `score` and `compare` themselves, kept for as long as the run has the same answers. */
export function scoreRoutes(workspace: Workspace, tools: Tools): Hono {
  const kept = new Map<string, Promise<unknown>>();
  const once = <Result>(key: string, make: () => Promise<Result>): Promise<Result> => {
    const known = kept.get(key) as Promise<Result> | undefined;
    if (known) return known;
    const made = make();
    kept.set(key, made);
    made.catch(() => kept.delete(key));
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(oldest);
    }
    return made;
  };
  const version = async (path: string) => (await answerShards(path)).join('\n');

  return new Hono()
    .get('/runs/:run/score', async (c) => {
      const { path } = await workspace.run(c.req.param('run'));
      const key = `score\n${await version(path)}`;
      return c.json(await once(key, () => tools.json(['score', path], scoreSchema)));
    })
    .get('/compare', async (c) => {
      const { a, b, modelA, modelB } = compareQuerySchema.parse(c.req.query());
      const [first, second] = [await workspace.run(a), await workspace.run(b)];
      const key = ['compare', await version(first.path), await version(second.path), modelA, modelB].join('\n');
      const sources = a === b ? [first.path] : [first.path, second.path];
      return c.json(
        await once(key, () => tools.json(['compare', ...sources, `--models=${modelA},${modelB}`], anyComparison)),
      );
    });
}
