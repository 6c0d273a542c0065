import { join } from 'node:path';
import type { MineOptions } from '../mine/mine-run.ts';
import { poolFeatures } from '../mine/pool-features.ts';
import { readPool } from '../mine/read-pool.ts';
import { withRunFolder } from '../run/folder/index.ts';
import { threadsFrom } from '../run/inputs.ts';
import { openFeatureReader } from '../run/picture-features.ts';
import { resolvePlace } from '../storage/s3-url.ts';
import { readFinishedRun } from './finished-run.ts';
import { onInterrupt } from './interrupt.ts';
import { type FeaturesChoices, minePaths } from './shares/mine.ts';
import { partFrom, readShare, type ShareValues } from './shares/options.ts';
import { print } from './ui/output.ts';
import { createProgress } from './ui/progress.ts';

interface FeatureValues extends ShareValues {
  readonly json: boolean;
  readonly backbone?: string;
  readonly threads?: number;
}

/** Does what needs a network's features of the pictures, with their progress shown and Ctrl+C minded; without one, just does it. */
export async function withGrouping<T>(
  { backbone: given, threads, ...values }: FeatureValues,
  run: string,
  work: (grouping?: NonNullable<MineOptions['grouping']>) => Promise<T>,
): Promise<T> {
  if (!given) return work();
  const backbone = resolvePlace(given);
  const interrupt = onInterrupt('Finishing the picture in hand; the same command goes on from there');
  const progress = createProgress({ title: 'features', noun: 'pictures', total: 0 });
  const { signal } = interrupt;
  try {
    const choices: FeaturesChoices = { work: 'features', run, backbone };
    // Only whoever shares the work must know the run's settings; a run made elsewhere has none.
    const config = values.queue === undefined ? undefined : (await readFinishedRun(run)).config;
    const part = config
      ? partFrom(values, { command: 'mine', config, choices, paths: minePaths, out: run, signal })
      : { share: readShare(values.shard) };
    const reader = await openFeatureReader(backbone, { threads: threadsFrom(threads) });
    return await work({ reader, ...part, signal, onProgress: progress.update }).finally(reader.close);
  } finally {
    progress.finish();
    interrupt.done();
  }
}

/** A network's features of a share of the pictures; what they have in common needs all of them. */
export async function featureShare(values: FeatureValues, run: string): Promise<void> {
  const { pool } = await withRunFolder(run, (folder) => readPool(folder));
  await withGrouping(values, run, async (grouping) => grouping && poolFeatures(pool, { ...grouping, run }));
  print(
    values.json,
    { share: readShare(values.shard) },
    () =>
      `Share ${values.shard} of the features is in ${join(run, 'features')}; the same command without --shard finds them when all are there`,
  );
}
