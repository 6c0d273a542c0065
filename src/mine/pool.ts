import { expected, UserError } from '../contracts/errors.ts';

/** One picture of the pool that is mined. */
export interface PoolItem {
  readonly sample: string;
  readonly scenario: string;
  readonly label: string;
  /** What was varied to make it: a background, a texture, the scenario. */
  readonly nuisance: string;
  /** Which one of its kind, where that is known: `texture: striped`. */
  readonly detail?: string;
  /** Pictures of one prompt (or one source photograph) belong together; resampling keeps them together. */
  readonly group: string;
  /** Of a generated picture; pictures of one prompt with several seeds tell selection from generation. */
  readonly seed?: number;
}

/** Which model was wrong on which picture. */
export interface PicturePool {
  readonly items: readonly PoolItem[];
  readonly models: readonly string[];
  /** One array per model: 1 wrong, 0 right. Every model has answered every item. */
  readonly wrong: readonly Uint8Array[];
}

/** One answer, as stored by a run. */
export interface PoolAnswer extends PoolItem {
  readonly model: string;
  readonly correct: boolean;
}

/** Answers as a matrix over the pictures that all models answered; `incomplete` are the others. */
export function toPool(answers: Iterable<PoolAnswer>): { pool: PicturePool; incomplete: number } {
  const models: string[] = [];
  const byItem = new Map<string, { item: PoolItem; wrong: (0 | 1 | undefined)[] }>();
  for (const { model, correct, ...item } of answers) {
    let m = models.indexOf(model);
    if (m < 0) m = models.push(model) - 1;
    const key = `${item.scenario}\u0000${item.sample}`;
    const row = byItem.get(key) ?? { item, wrong: [] };
    row.wrong[m] = correct ? 0 : 1;
    byItem.set(key, row);
  }
  const whole = [...byItem.values()].filter(({ wrong }) => models.every((_, m) => wrong[m] !== undefined));
  if (!whole.length) throw new UserError('No picture was answered by every model; mining needs answers to compare');
  return {
    pool: {
      items: whole.map(({ item }) => item),
      models,
      wrong: models.map((_, m) => Uint8Array.from(whole, ({ wrong }) => wrong[m] as number)),
    },
    incomplete: byItem.size - whole.length,
  };
}

/** The part of a pool that belongs to some models; what is left out cannot be looked at by mistake. */
export function onlyModels({ items, models, wrong }: PicturePool, names: readonly string[]): PicturePool {
  const places = names.map((name) => {
    const place = models.indexOf(name);
    if (place < 0) throw expected(`one of the run's models (${models.join(', ')})`, 'a model', name);
    return place;
  });
  return { items, models: names, wrong: places.map((place) => wrong[place]) };
}

export interface PoolCodes {
  readonly of: Uint32Array;
  readonly count: number;
}

/** Items numbered by a word of theirs, without gaps. */
export function codeItems({ items }: PicturePool, word: (item: PoolItem) => string): PoolCodes {
  const index = new Map<string, number>();
  const of = Uint32Array.from(items, (item) => {
    const key = word(item);
    if (!index.has(key)) index.set(key, index.size);
    return index.get(key) as number;
  });
  return { of, count: index.size };
}

export const promptGroups = (pool: PicturePool): PoolCodes => codeItems(pool, ({ group }) => group);
