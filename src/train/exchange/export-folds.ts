import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expected, UserError } from '../../contracts/errors.ts';
import type { ErrorLine } from '../../contracts/prediction.ts';
import type { Dataset, Sample } from '../../contracts/sample.ts';
import { parseCsv } from '../../dataset/csv.ts';
import { assignFolds } from '../../dataset/splits.ts';
import { sweepPartial, writeAtomic } from '../../run/atomic.ts';
import { csvLine } from '../../run/csv-line.ts';
import { hashJson } from '../../run/hash.ts';
import { type RenderOptions, render } from '../../run/render.ts';
import { toFolderName } from '../../scenarios/name.ts';
import { randomFor } from '../../stats/random.ts';

export interface ExportOptions extends Omit<RenderOptions, 'layout' | 'dataset'> {
  readonly dataset: Dataset;
  readonly samples: readonly Sample[];
  readonly folds: number;
  /** Folder of the Python scripts that go with the images. */
  readonly scripts: string;
  readonly version: string;
}

export interface ExportSummary {
  readonly out: string;
  readonly folds: number;
  readonly scenarios: readonly string[];
  readonly classes: readonly string[];
  readonly samples: number;
  readonly variants: number;
  /** Variants that an earlier, interrupted call had written. */
  readonly found: number;
  readonly errors: readonly ErrorLine[];
  readonly warnings: readonly string[];
  readonly interrupted: boolean;
}

/** What goes beside the images, to train with and to make the start weights. */
export const exportedScripts = ['train.py', 'from_onnx.py'] as const;

/**
 * Every variant once, as `fold-K/SCENARIO/CLASS/NAME`: each `fold-K/SCENARIO` is an image folder. To train with fold K held
 * out is to take the image folders of the others. A fold is rendered from its own photographs and backgrounds alone, so
 * nothing of a test image, and no background behind one, is ever trained on.
 */
export async function exportFolds(options: ExportOptions): Promise<ExportSummary> {
  const { dataset, folds, scripts, version, onProgress, backgrounds, ...rest } = options;
  const out = resolve(rest.out);
  const samples = options.samples.filter(
    ({ scenario, label }) => label !== undefined && (!scenario || scenario === 'original'),
  );
  const classes = [...new Set(samples.map(({ label }) => label as string))].sort();
  if (classes.length < 2)
    throw new UserError(
      `Training needs photographs of two classes or more; ${dataset.path} has ${classes.length ? `${classes[0]} alone` : 'none with a label'}`,
    );
  const foldOf = assignFolds(samples, { folds, seed: rest.seed });
  const backgroundsOf = splitBackgrounds(backgrounds, { folds, seed: rest.seed });
  await mkdir(out, { recursive: true });

  const total = samples.length * rest.scenarios.length;
  let [before, variants, found, interrupted] = [0, 0, 0, false];
  const errors: ErrorLine[] = [];
  for (let fold = 0; fold < folds && !interrupted; fold++) {
    const own = samples.filter(({ id }) => foldOf.get(id) === fold);
    if (!own.length) throw expected('fewer folds', '--folds', folds, `fold ${fold + 1} would be empty`);
    const summary = await render({
      ...rest,
      dataset: { ...dataset, samples: own },
      layout: 'imagefolder',
      out: join(out, folderOf(fold)),
      backgrounds: backgroundsOf?.[fold],
      onProgress: (done) => onProgress?.(before + done, total),
    });
    before += own.length * rest.scenarios.length;
    variants += summary.variants;
    found += summary.found;
    errors.push(...summary.errors);
    interrupted = summary.interrupted;
  }
  if (!interrupted) await finish({ ...options, out }, classes);
  const warnings = thinClasses(samples, foldOf, folds);
  return {
    out,
    folds,
    scenarios: rest.scenarios,
    classes,
    samples: samples.length,
    variants,
    found,
    errors,
    warnings,
    interrupted,
  };
}

const folderOf = (fold: number) => `fold-${fold}`;

/** A background behind a test image must not have been behind a training image. */
export function splitBackgrounds(
  backgrounds: readonly string[] | undefined,
  { folds, seed }: { folds: number; seed: number },
): string[][] | undefined {
  if (!backgrounds) return undefined;
  if (backgrounds.length < folds)
    throw expected(`${folds} pictures or more, one for each fold at least`, '--backgrounds', backgrounds.length);
  const shuffled = randomFor(seed, 'backgrounds of folds').shuffle(backgrounds);
  return Array.from({ length: folds }, (_, fold) => shuffled.filter((_, i) => i % folds === fold).sort());
}

/** Lists what was written and puts the scripts beside it. Masks are for `--data`, not for training: they go. */
async function finish(options: ExportOptions, classes: readonly string[]): Promise<void> {
  const { out, folds, scenarios, seed, format, quality, photographs, scripts, version, dataset } = options;
  const lines: string[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const folder = folderOf(fold);
    const [header, ...rows] = parseCsv(await readFile(join(out, folder, 'manifest.csv'), 'utf8'), ',');
    const at = (name: string) => header.indexOf(name);
    for (const row of rows)
      lines.push(
        csvLine([
          row[at('scenario')],
          `${folder}/${row[at('image')]}`,
          row[at('label')],
          row[at('sample')],
          row[at('group')],
          fold,
        ]),
      );
    await rm(join(out, folder, 'masks'), { recursive: true, force: true });
  }
  const content = `${['scenario,file,label,sample,group,fold', ...lines].join('\n')}\n`;
  await writeAtomic(out, 'folds.csv', content);
  const record = {
    sceneshift: version,
    data: dataset.path,
    folds,
    seed,
    classes,
    scenarios: scenarios.map((name) => ({ name, folder: toFolderName(name) })),
    format,
    quality: format === 'png' ? null : quality,
    longSidePx: photographs.longSidePx ?? null,
    images: lines.length,
    hash: hashJson({ content, seed, format, quality, photographs }),
  };
  await writeAtomic(out, 'export.json', `${JSON.stringify(record, null, 2)}\n`);
  for (const name of exportedScripts) await copyFile(join(scripts, name), join(out, name));
  await sweepPartial(out);
}

/** A class with fewer groups than folds is missing from some test, and with one group it is tested untrained. */
function thinClasses(samples: readonly Sample[], foldOf: ReadonlyMap<string, number>, folds: number): string[] {
  const seen = new Map<string, Set<number>>();
  for (const { id, label = '' } of samples) {
    const known = seen.get(label) ?? new Set();
    seen.set(label, known.add(foldOf.get(id) as number));
  }
  return [...seen].flatMap(([label, inFolds]) =>
    inFolds.size === folds
      ? []
      : inFolds.size === 1
        ? [`${label} is in one fold alone: it is tested without ever having been trained on`]
        : [`${label} is in ${inFolds.size} of ${folds} folds: the others test none of it`],
  );
}
