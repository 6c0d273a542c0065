import { Hono } from 'hono';
import { UserError } from '../contracts/errors.ts';
import { miningRecordSchema, releasedSchema } from '../contracts/mining.ts';
import { chooseMined } from '../contracts/studio/choose-mined.ts';
import { type MinedPool, type MinePage, minedQueryOf } from '../contracts/studio/mine.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import { type ReadPool, readPool } from '../mine/read-pool.ts';
import { answerShards, readDocument, withRunFolder } from '../run/folder/index.ts';
import { notFound } from './errors.ts';
import type { Workspace } from './workspace.ts';

/** What `mine` left in a run, and the pictures behind each of its numbers. */
export function mineRoutes(workspace: Workspace): Hono {
  let kept: { key: string; pool: Promise<MinedPool> } | undefined;
  /** The pool of the run looked at last. */
  const poolOf = async (path: string): Promise<MinedPool> => {
    const key = [path, ...(await answerShards(path))].join('\n');
    if (kept?.key !== key) kept = { key, pool: readMinedPool(path) };
    return kept.pool;
  };
  return new Hono()
    .get('/runs/:run/mine', async (c) => {
      const { path } = await workspace.run(c.req.param('run'));
      return c.json(await minedIn(path));
    })
    .get('/runs/:run/mine/pictures', async (c) => {
      const query = minedQueryOf(new URL(c.req.url).searchParams);
      const { path } = await workspace.run(c.req.param('run'));
      const { mining, released } = await minedIn(path);
      if (!mining) throw notFound('The run has not been mined; first: sceneshift mine RUN --surrogates A,B');
      const pool = await poolOf(path);
      try {
        return c.json(chooseMined(pool, query, { mining, released }));
      } catch (error) {
        throw error instanceof UserError ? notFound(error.message) : error;
      }
    });
}

export async function minedIn(path: string): Promise<MinePage> {
  const remedy = 'sceneshift mine writes it again';
  const [mining, released] = await Promise.all([
    readDocument(path, 'mining.json', miningRecordSchema, { remedy }),
    readDocument(path, 'released.json', releasedSchema, { remedy }),
  ]);
  return { mining: mining ?? null, released: released ?? null };
}

export const readMinedPool = async (path: string): Promise<MinedPool> =>
  toMinedPool(await withRunFolder(path, (folder) => readPool(folder)));

/** The pool with wrong answers as places in a list of words; also written into an exported site. */
export function toMinedPool({ pool, predictions }: Pick<ReadPool, 'pool' | 'predictions'>): MinedPool {
  const places = new Map<string, number>();
  const placeOf = (word: string) => {
    const place = places.get(word) ?? places.size;
    places.set(word, place);
    return place;
  };
  const wrongAnswers = pool.models.map((model, m) =>
    Array.from(pool.wrong[m], (wrong, i) =>
      wrong === 1 ? placeOf(shownLabel(predictions.get(model)?.[i] ?? '')) : -1,
    ),
  );
  const items = pool.items.map(({ sample, scenario, label, nuisance, detail }) => ({
    ...{ sample, scenario, label, name: shownLabel(label), nuisance },
    ...(detail !== undefined && { detail }),
  }));
  return { models: pool.models, words: [...places.keys()], items, wrongAnswers };
}
