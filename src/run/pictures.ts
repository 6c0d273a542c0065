import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pictures, picturesSchema, type Telling } from '../contracts/pictures.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import { sweepPartial, writeAtomic } from './atomic.ts';
import { hashJson } from './hash.ts';
import { type KeptPicture, type PicturesInit, picturesJob } from './pictures-job.ts';
import { createPool } from './pool.ts';
import { tasksAhead } from './share-cores.ts';

export interface PicturesOptions extends Omit<PicturesInit, 'out' | 'sizePx'> {
  /** The run folder. */
  readonly run: string;
  readonly threads: number;
  readonly sizePx?: number;
  readonly telling: readonly Telling[];
  /** What the run is made of, where it is known: pictures drawn from the same are left as they are. */
  readonly record?: Pick<RunRecord, 'sceneshift' | 'seed' | 'data' | 'photographs' | 'painting'> & {
    readonly conditions?: unknown;
  };
}

/** Renders a run's telling samples small into `pictures/`, for the report. The same rows give the same files. */
export async function renderPictures({
  run,
  threads,
  sizePx = 160,
  telling,
  record,
  ...inputs
}: PicturesOptions): Promise<Pictures> {
  const { samples, scenarios, seed, photographs, backgrounds, generated, painting } = inputs;
  const init = { samples, scenarios, seed, photographs, backgrounds, generated, painting };
  const out = join(run, 'pictures');
  const madeFrom = record && hashBasis(record, { telling, scenarios, sizePx });
  const drawn = madeFrom && (await drawnBefore(out, madeFrom));
  if (drawn) return drawn;
  await rm(out, { recursive: true, force: true });
  const pictures: KeptPicture[][] = telling.map(() => []);
  if (telling.length) {
    const workers = Math.min(threads, telling.length);
    const pool = await createPool(
      picturesJob,
      { ...init, out, sizePx },
      {
        threads: workers,
        tasksPerThread: tasksAhead(telling.length, workers),
        guard: {
          samples: ({ sample }) => init.samples.filter(({ id }) => id === sample),
          leaveOut: ({ place }) => ({ place, pictures: [] }),
        },
      },
    );
    try {
      await pool.forEach(
        telling.map(({ sample }, place) => ({ place, sample })),
        (result) => {
          pictures[result.place] = result.pictures;
        },
      );
    } finally {
      await pool.close();
    }
    await sweepPartial(out);
  }
  const index: Pictures = {
    sizePx,
    ...(madeFrom && { madeFrom }),
    samples: telling.map((sample, i) => ({ ...sample, pictures: pictures[i] })).filter(({ pictures: p }) => p.length),
  };
  await writeAtomic(run, 'pictures/index.json', `${JSON.stringify(index, null, 2)}\n`);
  await sweepPartial(run);
  return index;
}

/** Photographs, backgrounds and all settings of an edit are in the conditions' names and the data's hash. */
const hashBasis = (
  { sceneshift, seed, data, photographs, conditions, painting }: NonNullable<PicturesOptions['record']>,
  shown: unknown,
): string =>
  hashJson({
    sceneshift,
    seed,
    data: data?.hash,
    photographs,
    conditions: Object.keys(conditions ?? {}).sort(),
    painting,
    shown,
  });

async function drawnBefore(out: string, madeFrom: string): Promise<Pictures | undefined> {
  try {
    const index = picturesSchema.parse(JSON.parse(await readFile(join(out, 'index.json'), 'utf8')));
    const whole = index.samples.every(({ pictures }) => pictures.every(({ file }) => existsSync(join(out, file))));
    return index.madeFrom === madeFrom && whole ? index : undefined;
  } catch {
    // None, or not of this version: they are drawn.
    return undefined;
  }
}
