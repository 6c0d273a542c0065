import { mkdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { Dataset } from '../contracts/sample.ts';
import { machineCsv } from '../formats/csv-write.ts';
import { sweepPartial, writeAtomic } from './atomic.ts';
import { createErrorBudget } from './error-budget.ts';
import { type MasksInit, type MasksResult, masksJob } from './masks-job.ts';
import { createPool } from './pool.ts';
import { planPaths } from './render-layouts.ts';

export interface MakeMasksOptions extends Omit<MasksInit, 'samples' | 'paths'> {
  readonly dataset: Dataset;
  readonly threads: number;
  readonly maxErrors: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface MadeMask {
  readonly sample: string;
  readonly mask: string;
  readonly areaShare: number;
  readonly iou: number | null;
}

export interface MadeMasks {
  readonly manifest: string;
  readonly masks: MadeMask[];
  readonly errors: ErrorLine[];
  readonly iou: { readonly mean: number; readonly median: number; readonly n: number } | null;
  readonly interrupted: boolean;
}

/** Writes a mask for every photograph and a manifest that `--data` reads back. */
export async function makeMasks({
  dataset,
  threads,
  maxErrors,
  signal,
  onProgress,
  ...rest
}: MakeMasksOptions): Promise<MadeMasks> {
  const out = resolve(rest.out);
  const samples = dataset.samples.filter((sample) => !sample.scenario);
  if (rest.boxes && !samples.some((sample) => sample.box)) {
    throw new UserError(
      `No sample of ${dataset.path} has a box; leave out --boxes to start from the middle of the image`,
    );
  }
  const pathOf = planPaths(samples, 'sceneshift', 'png');
  const paths = samples.map((_, i) => pathOf(i, 'original', false).mask.replace(/^masks\/original\//, ''));
  await mkdir(out, { recursive: true });
  await sweepPartial(out);

  const budget = createErrorBudget(samples.length, maxErrors);
  const results: MasksResult[] = [];
  const pool = await createPool(masksJob, { ...rest, out, samples, paths }, { threads });
  try {
    await pool.forEach(
      samples.keys(),
      (result) => {
        results.push(result);
        budget.add(result.errors);
        onProgress?.(results.length, samples.length);
      },
      signal,
    );
  } finally {
    await pool.close();
  }
  results.sort((a, b) => a.sample - b.sample);
  const made = results.filter((result) => result.areaShare !== undefined);
  const rows = made.map(({ sample: i }) => {
    const { image, label, targets, split, group } = samples[i];
    return [relative(out, image).replaceAll('\\', '/'), paths[i], label, targets?.join('|'), split, group];
  });
  await writeAtomic(out, 'manifest.csv', machineCsv(['image', 'mask', 'label', 'target', 'split', 'group'], rows));
  await sweepPartial(out);
  return {
    manifest: join(out, 'manifest.csv'),
    masks: made.map((result) => ({
      sample: samples[result.sample].id,
      mask: paths[result.sample],
      areaShare: result.areaShare as number,
      iou: result.iou ?? null,
    })),
    errors: results.flatMap(({ errors }) => errors),
    iou: summarise(made.flatMap(({ iou }) => (iou === undefined ? [] : [iou]))),
    interrupted: signal?.aborted === true,
  };
}

function summarise(values: number[]) {
  if (!values.length) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const median = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
  return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, median, n: values.length };
}
