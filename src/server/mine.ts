import { Hono } from 'hono';
import { type MiningRecord, miningRecordSchema, type Released, releasedSchema } from '../contracts/mining.ts';
import {
  type MinedPicture,
  type MinedPictures,
  type MinedQuery,
  type MinePage,
  minedQuerySchema,
} from '../contracts/studio/mine.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import { type ReadPool, readPool } from '../mine/read-pool.ts';
import { answerShards, readDocument, withRunFolder } from '../run/folder/index.ts';
import { notFound } from './errors.ts';
import type { Workspace } from './workspace.ts';

const mostShown = 120;

/** What `mine` left in a run, and the pictures behind each of its numbers. */
export function mineRoutes(workspace: Workspace): Hono {
  let kept: { key: string; pool: Promise<ReadPool> } | undefined;
  /** The pool of the run looked at last. */
  const poolOf = async (path: string): Promise<ReadPool> => {
    const key = [path, ...(await answerShards(path))].join('\n');
    if (kept?.key !== key) kept = { key, pool: withRunFolder(path, (folder) => readPool(folder)) };
    return kept.pool;
  };
  return new Hono()
    .get('/runs/:run/mine', async (c) => {
      const { path } = await workspace.run(c.req.param('run'));
      return c.json(await minedIn(path));
    })
    .get('/runs/:run/mine/pictures', async (c) => {
      const [wrong, right] = [c.req.queries('wrong'), c.req.queries('right')];
      const query = minedQuerySchema.parse({ ...c.req.query(), wrong, right });
      const { path } = await workspace.run(c.req.param('run'));
      const { mining, released } = await minedIn(path);
      if (!mining) throw notFound('The run has not been mined; first: sceneshift mine RUN --surrogates A,B');
      return c.json(choosePictures(await poolOf(path), query, { mining, released }));
    });
}

async function minedIn(path: string): Promise<MinePage> {
  const remedy = 'sceneshift mine writes it again';
  const [mining, released] = await Promise.all([
    readDocument(path, 'mining.json', miningRecordSchema, { remedy }),
    readDocument(path, 'released.json', releasedSchema, { remedy }),
  ]);
  return { mining: mining ?? null, released: released ?? null };
}

const keyOf = ({ scenario, sample }: { scenario: string; sample: string }) => `${scenario}\n${sample}`;

export function choosePictures(
  { pool, predictions }: Pick<ReadPool, 'pool' | 'predictions'>,
  { set, wrong, right, nuisance, class: label, mode }: MinedQuery,
  { mining, released }: { mining: MiningRecord; released: Released | null },
): MinedPictures {
  const { items, models } = pool;
  const unknown = [...wrong, ...right].find((name) => !models.includes(name));
  if (unknown !== undefined) throw notFound(`The run has no model ${unknown}`);
  const members = membersOf(set, mode, mining, released);
  const fails = (model: string, i: number) => pool.wrong[models.indexOf(model)][i] === 1;
  const found = [...items.keys()].filter(
    (i) =>
      (!members || members.has(keyOf(items[i]))) &&
      (nuisance === undefined || items[i].nuisance === nuisance) &&
      (label === undefined || items[i].label === label) &&
      wrong.every((model) => fails(model, i)) &&
      right.every((model) => !fails(model, i)),
  );
  return {
    total: found.length,
    pictures: found.slice(0, mostShown).map((i): MinedPicture => {
      const failing = models.filter((model) => fails(model, i));
      return {
        ...{ sample: items[i].sample, scenario: items[i].scenario, label: shownLabel(items[i].label) },
        ...{ nuisance: items[i].detail ?? items[i].nuisance, wrong: failing, models: models.length },
        answer: mostFrequent(failing.map((model) => shownLabel(predictions.get(model)?.[i] ?? ''))),
      };
    }),
  };
}

/** Undefined: every picture of the pool. */
function membersOf(set: MinedQuery['set'], mode: number | undefined, mining: MiningRecord, released: Released | null) {
  if (mode !== undefined) {
    const found = mining.modes[mode];
    if (!found) throw notFound(`There is no failure mode ${mode}`);
    return new Set(found.examples.map(keyOf));
  }
  if (set === 'pool') return undefined;
  if (set === 'released' && !released) throw notFound('Nothing has been released');
  return new Set((set === 'released' ? (released?.released ?? []) : mining.chosen).map(keyOf));
}

function mostFrequent(words: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? null;
}
