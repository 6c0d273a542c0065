import { copyFile, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { toFolderName } from '../../contracts/folder-name.ts';
import type { ErrorLine } from '../../contracts/prediction.ts';
import { readCsvObjects } from '../../formats/csv-rows.ts';
import { type CsvCell, machineCsv } from '../../formats/csv-write.ts';
import { writeAtomic } from '../../run/atomic.ts';
import { inOwnFolder } from '../../run/folder/index.ts';
import { hashFile, hashJson } from '../../run/hash.ts';
import { type RenderOptions, render } from '../../run/render.ts';
import { parseScenario } from '../../scenarios/name.ts';
import { needsOf } from '../../scenarios/registry.ts';
import { partitionBackgrounds, planFolds } from '../folds.ts';

export interface ExportOptions extends Omit<RenderOptions, 'layout'> {
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
const exportedScripts = ['train.py', 'from_onnx.py'] as const;

/**
 * Every variant once, as `fold-K/SCENARIO/CLASS/NAME`: each `fold-K/SCENARIO` is an image folder. To train with fold K held
 * out is to take the image folders of the others. A fold is rendered from its own photographs and backgrounds alone, so
 * nothing of a test image, and no background behind one, is ever trained on.
 */
export async function exportFolds(options: ExportOptions): Promise<ExportSummary> {
  const out = resolve(options.out);
  return inOwnFolder(out, () => exportLocked({ ...options, out }));
}

async function exportLocked(options: ExportOptions): Promise<ExportSummary> {
  const { dataset, samples: given, folds, scripts: _, version: __, onProgress, backgrounds, ...rest } = options;
  const { out } = rest;
  const samples = given.filter(({ scenario, label }) => label !== undefined && (!scenario || scenario === 'original'));
  const classes = [...new Set(samples.map(({ label }) => label as string))].sort();
  if (classes.length < 2)
    throw new UserError(
      `Training needs photographs of two classes or more; ${dataset.path} has ${classes.length ? `${classes[0]} alone` : 'none with a label'}`,
    );
  const hashOf = await hashesOf([...samples.map(({ image }) => image), ...(backgrounds ?? [])]);
  const { foldOf, warnings } = planFolds({ samples, hashOf, folds, seed: rest.seed });
  const pasted = rest.scenarios.some((name) => {
    const { scenario, params } = parseScenario(name);
    return needsOf(scenario, params).includes('backgrounds');
  });
  const backgroundsOf =
    backgrounds && pasted ? partitionBackgrounds(backgrounds, { folds, seed: rest.seed, hashOf }) : undefined;
  // Removed first, so that an interrupted call leaves no list that looks complete.
  await rm(join(out, 'folds.csv'), { force: true });

  const total = samples.length * rest.scenarios.length;
  let [before, variants, found, interrupted] = [0, 0, 0, false];
  const errors: ErrorLine[] = [];
  for (let fold = 0; fold < folds && !interrupted; fold++) {
    const own = samples.filter(({ id }) => foldOf.get(id) === fold);
    const summary = await render({
      ...rest,
      dataset,
      samples: own,
      layout: 'imagefolder',
      masks: false,
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
  if (!interrupted) await finish(options, classes);
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

/** Lists what was written and puts the scripts beside it. */
async function finish(options: ExportOptions, classes: readonly string[]): Promise<void> {
  const { out, folds, scenarios, seed, format, quality, photographs, scripts, version, dataset } = options;
  const lines: CsvCell[][] = [];
  for (let fold = 0; fold < folds; fold++) {
    const folder = folderOf(fold);
    for (const row of readCsvObjects(await readFile(join(out, folder, 'manifest.csv'))))
      lines.push([row.scenario, `${folder}/${row.image}`, row.label, row.sample, row.group, fold]);
  }
  const content = machineCsv(['scenario', 'file', 'label', 'sample', 'group', 'fold'], lines);
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
}

/** Files by their content: a photograph or background kept twice is one. */
async function hashesOf(paths: readonly string[]): Promise<(path: string) => string | undefined> {
  const hashes = new Map<string, string>();
  for (const path of new Set(paths)) {
    // A file that cannot be read is reported as its sample's error when it is decoded.
    const hash = await hashFile(path).catch(() => undefined);
    if (hash) hashes.set(path, hash);
  }
  return (path) => hashes.get(path);
}
