import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exitCodes, UserError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import { isInShare } from '../contracts/queue.ts';
import type { Dataset, Sample } from '../contracts/sample.ts';
import { type CsvCell, machineCsv } from '../formats/csv-write.ts';
import { imagenet1k } from '../labels/imagenet-1k.ts';
import { matchLabel } from '../labels/match.ts';
import { parseScenario } from '../scenarios/name.ts';
import { withAddresses } from '../storage/shown.ts';
import { sweepPartial, writeAtomic } from './atomic.ts';
import { createErrorBudget } from './error-budget.ts';
import { checkOut, writeErrorLines } from './folder/index.ts';
import { canonicalJson } from './hash.ts';
import { paintAhead, paints } from './paint-ahead.ts';
import { paintingIdentity } from './painter.ts';
import { inFolder, type PartOptions } from './part.ts';
import { createPool } from './pool.ts';
import { addRendered, isThere, type Rendered, readRendered, removeRendered, writeRendered } from './render-index.ts';
import { type RenderInit, type RenderTask, renderJob } from './render-job.ts';
import { type PlannedVariant, planVariants } from './render-plan.ts';

export interface RenderOptions extends Omit<RenderInit, 'named'>, PartOptions {
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
  /** Variants that an earlier call had written and that still hold. */
  readonly found: number;
  readonly errors: ErrorLine[];
  readonly interrupted: boolean;
}

/** Writes every variant, its mask and a manifest. The same call continues after a kill and gives the same folder. */
export async function render(options: RenderOptions): Promise<RenderSummary> {
  await checkOut(options.out, options.dataset);
  const out = resolve(options.out);
  return inFolder(out, options, () => renderInto({ ...options, out }));
}

async function renderInto(options: RenderOptions): Promise<RenderSummary> {
  const { dataset, out, threads, maxErrors, signal, onProgress, share, sideBySide } = options;
  const init = initOf(options);
  const { samples } = init;
  if (!samples.length)
    throw new UserError(`No photographs to render in ${dataset.path}; see sceneshift dataset check ${dataset.path}`);
  if (!sideBySide) await claimFolder(init, dataset);
  const planned = (await planVariants(init)).filter(({ sample }) => isInShare(sample, share));
  let { rendered, missing } = await findMissing(out, planned);
  if (options.elsewhere && missing.length) {
    await options.elsewhere(tasksOf(missing).map(({ sample }) => sample));
    ({ rendered, missing } = await findMissing(out, planned));
  }
  const note = share && sideBySide ? { share, writer: randomUUID().slice(0, 8) } : undefined;
  const tasks = tasksOf(missing);
  const hashOf = new Map(planned.map((variant) => [variant.image, variant.hash]));
  const budget = createErrorBudget(samples.length, maxErrors);
  const painting = await paintMissing(options, init, tasks);
  let [done, ended] = [planned.length - missing.length, 0];
  if (tasks.length) {
    const pool = await createPool(
      renderJob,
      { ...init, painting },
      {
        threads,
        // While the last pictures of one sample are encoded, the next is read.
        tasksPerThread: 2,
        guard: {
          samples: ({ sample }) => [samples[sample]],
          leaveOut: (task, line) => ({ ...task, made: [], errors: [line] }),
        },
      },
    );
    try {
      await pool.forEach(
        tasks,
        async ({ sample, scenarios, made, errors }) => {
          const fresh = made.map((one) => ({
            ...one,
            sample: samples[sample].id,
            hash: hashOf.get(one.image) as string,
          }));
          for (const one of fresh) rendered.set(one.image, one);
          await addRendered(out, fresh, note);
          ended++;
          done += scenarios.length;
          budget.add(errors);
          onProgress?.(done, planned.length);
        },
        signal,
      );
    } finally {
      await pool.close();
    }
  }
  const errors = budget.lines;
  const interrupted = ended < tasks.length;
  const found = planned.length - missing.length;
  if (interrupted || sideBySide) {
    const variants = planned.filter(({ image, hash }) => rendered.get(image)?.hash === hash).length;
    return { out, samples: samples.length, variants, found, errors, interrupted };
  }
  const variants = await finish(out, init, { planned, rendered, dataset, errors });
  if (!variants && planned.length)
    throw new UserError(`Nothing could be rendered: ${errors[0]?.message ?? 'no scenario fits'}`, {
      exitCode: exitCodes.failed,
    });
  return { out, samples: samples.length, variants, found, errors, interrupted };
}

async function findMissing(out: string, planned: readonly PlannedVariant[]) {
  const rendered = await readRendered(out);
  const missing: PlannedVariant[] = [];
  for (const variant of planned) {
    const known = rendered.get(variant.image);
    if (known?.hash !== variant.hash || !(await isThere(out, known))) missing.push(variant);
  }
  return { rendered, missing };
}

function initOf(options: RenderOptions): RenderInit {
  const { out, scenarios, seed, format, quality, layout, masks, photographs, backgrounds, generated, painting } =
    options;
  const isPhotograph = ({ scenario }: Sample) => !scenario || scenario === 'original';
  return {
    samples: options.samples.filter(isPhotograph),
    named: options.dataset.samples.filter(isPhotograph),
    ...{ out, scenarios, seed, format, quality, layout, masks, photographs, backgrounds, generated, painting },
  };
}

function tasksOf(missing: readonly PlannedVariant[]): RenderTask[] {
  const bySample = new Map<number, string[]>();
  for (const { sample, scenario } of missing) bySample.set(sample, [...(bySample.get(sample) ?? []), scenario]);
  return [...bySample].map(([sample, scenarios]) => ({ sample, scenarios }));
}

async function paintMissing(options: RenderOptions, init: RenderInit, tasks: readonly RenderTask[]) {
  const { threads, signal, onPainted: onProgress } = options;
  const named = init.scenarios.map((name) => parseScenario(name));
  if (!tasks.length || !paints(named, init.generated)) return undefined;
  const painting = { ...init.painting, identity: await paintingIdentity(init.painting ?? {}) };
  const work = tasks.map(({ sample, scenarios }) => ({
    sample: init.samples[sample],
    scenarios: named.filter(({ name }) => scenarios.includes(name)),
  }));
  await paintAhead({ ...init, painting, work, threads, signal, onProgress });
  return painting;
}

/** A folder belongs to one dataset and one set of settings, so that two are never mixed in one benchmark. */
async function claimFolder({ out, seed, format, quality, layout, photographs }: RenderInit, { path }: Dataset) {
  const claim = { data: withAddresses(path), seed, format, quality, layout, photographs };
  const known = await readFile(join(out, 'render.json'), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  const changed = Object.keys(claim).filter(
    (key) =>
      known?.[key] !== undefined && canonicalJson(known[key]) !== canonicalJson(claim[key as keyof typeof claim]),
  );
  if (changed.length)
    throw new UserError(
      `${out} was rendered with other settings (${changed.join(', ')}); choose another --out, or delete the folder`,
    );
  await writeAtomic(out, 'render.json', `${JSON.stringify(claim, null, 2)}\n`);
}

interface Finished {
  readonly planned: readonly PlannedVariant[];
  readonly rendered: ReadonlyMap<string, Rendered>;
  readonly dataset: Dataset;
  readonly errors: readonly ErrorLine[];
}

/**
 * Lists what is in the folder, this call's variants first; variants of pictures that have changed or are gone are
 * removed.
 */
async function finish(out: string, init: RenderInit, { planned, rendered, dataset, errors }: Finished) {
  const current = planned.flatMap(({ image, hash }) => {
    const found = rendered.get(image);
    return found?.hash === hash ? [found] : [];
  });
  const asked = new Set(planned.map(({ image }) => image));
  const selected = new Set(init.samples.map(({ id }) => id));
  const sampleOf = new Map(dataset.samples.map((sample) => [sample.id, sample]));
  const others = [...rendered.values()].filter(({ image }) => !asked.has(image));
  const sameSource = await stillHold(
    init,
    others.filter(({ sample }) => selected.has(sample)),
  );
  const kept = others.filter(({ sample, image }) =>
    selected.has(sample) ? sameSource.has(image) : sampleOf.has(sample),
  );
  const listed = [...current, ...kept];
  const listedImages = new Set(listed.map(({ image }) => image));
  await removeRendered(
    out,
    [...rendered.values()].filter(({ image }) => !listedImages.has(image)),
    listed,
  );
  const rows = listed.map((one) => manifestRow(sampleOf.get(one.sample) as Sample, one));
  await writeAtomic(out, 'manifest.csv', machineCsv(manifestColumns, rows));
  await writeErrorLines(out, errors);
  await writeRendered(out, listed);
  if (init.layout === 'imagenet-e') {
    const first = new Map(listed.map(({ sample, image }) => [sample, image]));
    const stem = (path: string) =>
      path
        .split('/')
        .at(-1)
        ?.replace(/\.[^.]+$/, '');
    const lines = [...first].map(([id, image]) => `${stem(image)}\t${imagenetELabel(sampleOf.get(id) as Sample)}`);
    await writeAtomic(out, 'labels.txt', `${lines.join('\n')}\n`);
  }
  await sweepPartial(out);
  return current.length;
}

/** Of variants that an earlier call asked for, those that would come out the same now. */
async function stillHold(init: RenderInit, others: readonly Rendered[]): Promise<Set<string>> {
  const scenarios = [...new Set(others.map(({ scenario }) => scenario))];
  if (!scenarios.length) return new Set();
  const again = await planVariants({ ...init, scenarios });
  const hashes = new Map(again.map(({ image, hash }) => [image, hash]));
  return new Set(others.filter(({ image, hash }) => hashes.get(image) === hash).map(({ image }) => image));
}

/** ImageNet-1k's index, as their list has it, and the dataset's own word, which they have no column for. */
function imagenetELabel({ label, targets }: Sample): string {
  const { indices } = label === undefined ? { indices: [] } : matchLabel(label, imagenet1k);
  const index = targets?.[0] ?? (indices.length === 1 ? indices[0] : '');
  return `${index}${label === undefined ? '' : `\t${label.replaceAll(/\s+/g, ' ')}`}`;
}

const manifestColumns = ['image', 'mask', 'label', 'target', 'split', 'group', 'scenario', 'sample'];

const manifestRow = (sample: Sample, { scenario, image, mask }: Rendered): CsvCell[] => [
  ...[image, mask, sample.label, sample.targets?.join('|'), sample.split, sample.group, scenario, sample.id],
];
