import { appendFile, readFile, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { Dataset } from '../contracts/sample.ts';
import { machineCsv } from '../formats/csv-write.ts';
import { writeAtomic } from './atomic.ts';
import { createErrorBudget } from './error-budget.ts';
import { inOwnFolder } from './folder/index.ts';
import { type KnownMask, type MasksInit, type MasksResult, masksJob } from './masks-job.ts';
import { createPool } from './pool.ts';
import { planPaths } from './render-layouts.ts';

export interface MakeMasksOptions extends Omit<MasksInit, 'samples' | 'paths' | 'known'> {
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
  /** Null where it was interrupted: a manifest of a part would pass for the whole. */
  readonly manifest: string | null;
  /** Masks that an earlier call had made. */
  readonly found: number;
  /** Photographs to make masks for. */
  readonly samples: number;
  readonly masks: MadeMask[];
  readonly errors: ErrorLine[];
  readonly iou: { readonly mean: number; readonly median: number; readonly n: number } | null;
  readonly interrupted: boolean;
}

/** One line per mask made, so that the same call goes on after a kill. */
const journalFile = '.made.jsonl';

/** Writes a mask for every photograph and a manifest that `--data` reads back. The same call continues after a kill. */
export async function makeMasks(options: MakeMasksOptions): Promise<MadeMasks> {
  const out = resolve(options.out);
  return inOwnFolder(out, () => makeMasksLocked({ ...options, out }));
}

async function makeMasksLocked({
  dataset,
  threads,
  maxErrors,
  signal,
  onProgress,
  ...rest
}: MakeMasksOptions): Promise<MadeMasks> {
  const { out } = rest;
  const samples = dataset.samples.filter((sample) => !sample.scenario);
  if (rest.boxes && !samples.some((sample) => sample.box)) {
    throw new UserError(
      `No sample of ${dataset.path} has a box; leave out --boxes to start from the middle of the image`,
    );
  }
  const pathOf = planPaths(samples, 'sceneshift', 'png');
  const paths = samples.map((_, i) => pathOf(i, 'original', false).mask.replace(/^masks\/original\//, ''));
  // From here until all masks are made there is nothing that could be read as the whole.
  await rm(join(out, 'manifest.csv'), { force: true });
  const journal = await readJournal(join(out, journalFile));
  const known = paths.map((path) => journal.get(path));

  const budget = createErrorBudget(samples.length, maxErrors);
  const results: MasksResult[] = [];
  const pool = await createPool(
    masksJob,
    { ...rest, samples, paths, known },
    {
      threads,
      guard: {
        samples: (place) => [samples[place]],
        leaveOut: (sample, line): MasksResult => ({ sample, errors: [line] }),
      },
    },
  );
  try {
    await pool.forEach(
      samples.keys(),
      async (result) => {
        results.push(result);
        const { sample, made, found } = result;
        if (made && !found)
          await appendFile(join(out, journalFile), `${JSON.stringify({ mask: paths[sample], ...made })}\n`);
        budget.add(result.errors);
        onProgress?.(results.length, samples.length);
      },
      signal,
    );
  } finally {
    await pool.close();
  }
  results.sort((a, b) => a.sample - b.sample);
  const made = results.filter((result) => result.made);
  const interrupted = results.length < samples.length;
  const rows = made.map(({ sample: i }) => {
    const { image, label, targets, split, group } = samples[i];
    return [relative(out, image).replaceAll('\\', '/'), paths[i], label, targets?.join('|'), split, group];
  });
  if (!interrupted)
    await writeAtomic(out, 'manifest.csv', machineCsv(['image', 'mask', 'label', 'target', 'split', 'group'], rows));
  return {
    manifest: interrupted ? null : join(out, 'manifest.csv'),
    found: made.filter(({ found }) => found).length,
    samples: samples.length,
    masks: made.map((result) => ({
      sample: samples[result.sample].id,
      mask: paths[result.sample],
      areaShare: result.made?.areaShare as number,
      iou: result.iou ?? null,
    })),
    errors: results.flatMap(({ errors }) => errors),
    iou: summarise(made.flatMap(({ iou }) => (iou === undefined ? [] : [iou]))),
    interrupted,
  };
}

/** The last line about a mask counts; one that a kill cut short says nothing. */
async function readJournal(file: string): Promise<Map<string, KnownMask>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const known = new Map<string, KnownMask>();
  for (const line of text.split('\n')) {
    try {
      const { mask, key, areaShare } = JSON.parse(line);
      known.set(mask, { key, areaShare });
    } catch {}
  }
  return known;
}

function summarise(values: number[]) {
  if (!values.length) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const median = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
  return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, median, n: values.length };
}
