import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pictures, Telling } from '../contracts/pictures.ts';
import { sweepPartial, writeAtomic } from './atomic.ts';
import { type KeptPicture, type PicturesInit, picturesJob } from './pictures-job.ts';
import { createPool } from './pool.ts';

export interface PicturesOptions extends Omit<PicturesInit, 'out' | 'sizePx'> {
  /** The run folder. */
  readonly run: string;
  readonly threads: number;
  readonly sizePx?: number;
  readonly telling: readonly Telling[];
}

/** Renders a run's telling samples small into `pictures/`, for the report. The same rows give the same files. */
export async function renderPictures({
  run,
  threads,
  sizePx = 160,
  telling,
  ...inputs
}: PicturesOptions): Promise<Pictures> {
  const { samples, scenarios, seed, photographs, backgrounds, generated, painting } = inputs;
  const init = { samples, scenarios, seed, photographs, backgrounds, generated, painting };
  const out = join(run, 'pictures');
  await rm(out, { recursive: true, force: true });
  const pictures: KeptPicture[][] = telling.map(() => []);
  if (telling.length) {
    const pool = await createPool(
      picturesJob,
      { ...init, out, sizePx },
      {
        threads: Math.min(threads, telling.length),
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
    samples: telling.map((sample, i) => ({ ...sample, pictures: pictures[i] })).filter(({ pictures: p }) => p.length),
  };
  await writeAtomic(run, 'pictures/index.json', `${JSON.stringify(index, null, 2)}\n`);
  await sweepPartial(run);
  return index;
}
