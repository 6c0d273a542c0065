import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exitCodes, UserError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import type { Dataset, Sample } from '../contracts/sample.ts';
import { type CsvCell, machineCsv } from '../formats/csv-write.ts';
import { imagenet1k } from '../labels/imagenet-1k.ts';
import { matchLabel } from '../labels/match.ts';
import { parseScenario } from '../scenarios/name.ts';
import { sweepPartial, writeAtomic } from './atomic.ts';
import { createErrorBudget } from './error-budget.ts';
import { canonicalJson, hashFile, hashJson } from './hash.ts';
import { paintAhead, paints } from './paint-ahead.ts';
import { paintingIdentity } from './painter.ts';
import { createPool } from './pool.ts';
import { type RenderInit, type RenderResult, renderJob } from './render-job.ts';

export interface RenderOptions extends RenderInit {
  readonly dataset: Dataset;
  readonly threads: number;
  /** Share of samples that may fail. */
  readonly maxErrors: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Backgrounds painted before the variants are made. */
  readonly onPainted?: (done: number, total: number) => void;
}

export interface RenderSummary {
  readonly out: string;
  readonly samples: number;
  readonly variants: number;
  /** Variants that an earlier, interrupted call had written. */
  readonly found: number;
  readonly errors: ErrorLine[];
  readonly interrupted: boolean;
}

/** Writes every variant, its mask and a manifest. The same call continues after a kill and gives the same folder. */
export async function render(options: RenderOptions): Promise<RenderSummary> {
  const { dataset, threads, maxErrors, signal, onProgress } = options;
  const out = resolve(options.out);
  const samples = options.samples.filter((sample) => !sample.scenario || sample.scenario === 'original');
  if (!samples.length)
    throw new UserError(`No photographs to render in ${dataset.path}; see sceneshift dataset check ${dataset.path}`);
  const { scenarios, seed, format, quality, layout, photographs, backgrounds, generated, painting: by } = options;
  const init: RenderInit = {
    samples,
    scenarios,
    out,
    seed,
    format,
    quality,
    layout,
    photographs,
    backgrounds,
    generated,
    painting: by,
  };
  await mkdir(out, { recursive: true });
  await sweepPartial(out);
  await claimFolder(out, init);

  const budget = createErrorBudget(samples.length, maxErrors);
  const results: RenderResult[] = new Array(samples.length);
  const named = init.scenarios.map((name) => parseScenario(name));
  const painting = paints(named, generated) ? { ...by, identity: await paintingIdentity(by ?? {}) } : undefined;
  if (painting)
    await paintAhead({
      ...init,
      painting,
      work: samples.map((sample) => ({ sample, scenarios: named })),
      threads,
      signal,
      onProgress: options.onPainted,
    });
  const pool = await createPool(renderJob, { ...init, painting }, { threads });
  let done = 0;
  try {
    await pool.forEach(
      samples.keys(),
      (result) => {
        results[result.sample] = result;
        done += init.scenarios.length;
        budget.add(result.errors);
        onProgress?.(done, samples.length * init.scenarios.length);
      },
      signal,
    );
  } finally {
    await pool.close();
  }
  const interrupted = results.some((result) => !result) || results.length < samples.length;
  const finished = results.filter((result) => result);
  const errors = finished.flatMap((result) => result.errors);
  if (!interrupted) await finish(out, init, finished, errors);
  const variants = finished.reduce((sum, result) => sum + result.variants.length, 0);
  if (!interrupted && !variants)
    throw new UserError(`Nothing could be rendered: ${errors[0]?.message ?? 'no scenario fits'}`, {
      exitCode: exitCodes.failed,
    });
  return {
    out,
    samples: samples.length,
    variants,
    found: finished.reduce((sum, result) => sum + result.found, 0),
    errors,
    interrupted,
  };
}

/** A folder belongs to one set of settings: mixing two in it would give a benchmark nobody can name. */
async function claimFolder(out: string, init: RenderInit): Promise<void> {
  const { samples, backgrounds, out: _out, generated, painting, photographs, ...settings } = init;
  const painted = paints(
    init.scenarios.map((name) => parseScenario(name)),
    generated,
  );
  const claim = {
    ...settings,
    photographs,
    samples: hashJson(samples.map(({ image: _image, mask: _mask, ...sample }) => sample)),
    backgrounds: backgrounds ? hashJson(await Promise.all(backgrounds.map(hashFile))) : null,
    generated: generated ? 'given' : null,
    ...(painted && { painting: await paintingIdentity(painting ?? {}) }),
  };
  const { scenarios, ...fixed } = claim;
  const known = await readFile(join(out, 'render.json'), 'utf8').then(JSON.parse, () => undefined);
  if (known) {
    const changed = Object.keys(fixed).filter(
      (key) => key in known && canonicalJson(known[key]) !== canonicalJson(fixed[key as keyof typeof fixed]),
    );
    if (changed.length) {
      throw new UserError(
        `${out} was rendered with other settings (${changed.join(', ')}); choose another --out, or delete the folder`,
      );
    }
  }
  await writeAtomic(out, 'render.json', `${JSON.stringify({ ...fixed, scenarios }, null, 2)}\n`);
}

async function finish(
  out: string,
  { samples, layout }: RenderInit,
  results: readonly RenderResult[],
  errors: readonly ErrorLine[],
) {
  const rows = results.flatMap(({ sample: index, variants }) =>
    variants.map((variant) => manifestRow(samples[index], variant)),
  );
  await writeAtomic(out, 'manifest.csv', machineCsv(manifestColumns, rows));
  await writeAtomic(out, 'errors.jsonl', errors.map((line) => `${JSON.stringify(line)}\n`).join(''));
  if (layout === 'imagenet-e') {
    const lines = results.flatMap(({ sample: index, variants }) =>
      variants.slice(0, 1).map(
        ({ image }) =>
          `${image
            .split('/')
            .at(-1)
            ?.replace(/\.[^.]+$/, '')}\t${imagenetELabel(samples[index])}`,
      ),
    );
    await writeAtomic(out, 'labels.txt', `${lines.join('\n')}\n`);
  }
  await sweepPartial(out);
}

/** ImageNet-1k's index, as their list has it, and the dataset's own word, which they have no column for. */
function imagenetELabel({ label, targets }: Sample): string {
  const { indices } = label === undefined ? { indices: [] } : matchLabel(label, imagenet1k);
  const index = targets?.[0] ?? (indices.length === 1 ? indices[0] : '');
  return `${index}${label === undefined ? '' : `\t${label.replaceAll(/\s+/g, ' ')}`}`;
}

const manifestColumns = ['image', 'mask', 'label', 'target', 'split', 'group', 'scenario', 'sample'];

function manifestRow(
  sample: Sample,
  { scenario, image, mask }: { scenario: string; image: string; mask?: string },
): CsvCell[] {
  return [image, mask, sample.label, sample.targets?.join('|'), sample.split, sample.group, scenario, sample.id];
}
