import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { expected, UserError } from '../contracts/errors.ts';
import type { Dataset, Sample } from '../contracts/sample.ts';
import { readCsvRows } from '../formats/csv-rows.ts';
import {
  defaultTemplates,
  expandGrid,
  fillTemplate,
  type PromptItem,
  type Templates,
} from '../generate/prompts/grammar.ts';
import { backgrounds, materials, textures } from '../generate/prompts/imagenet-d-nuisances.ts';
import { expandSheet, type PromptSheetRow, readPromptSheet } from '../generate/prompts/prompt-sheet.ts';
import type { EditRequest } from '../generate/provider.ts';
import { imagenetDMap } from '../labels/imagenet-d.ts';
import { loadPhotograph, type PhotographOptions } from './photograph.ts';

const gridFileSchema = z.strictObject({
  categories: z.array(z.string()).min(1),
  nuisances: z.record(z.string(), z.array(z.string()).min(1)),
  templates: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  negative: z.string().optional(),
});

export interface GridChoice {
  /** `imagenet-d`, or a YAML or JSON file with categories, nuisances, templates. */
  readonly grid: string;
  /** Only these, of what the grid has. */
  readonly categories?: readonly string[];
  readonly kinds?: readonly string[];
  readonly negative?: string;
  readonly seeds: readonly number[];
  readonly sample?: number;
  readonly sampleSeed: number;
}

/** The prompts of a grid: ImageNet-D's own words, or the user's. */
export async function planGrid(choice: GridChoice): Promise<PromptItem[]> {
  const grid = choice.grid === 'imagenet-d' ? imagenetDGrid() : await readGrid(choice.grid);
  const unknown = choice.categories?.find((name) => !grid.categories.includes(name));
  if (unknown) throw expected(`one of the grid's ${grid.categories.length} categories`, '--categories', unknown);
  const kinds = choice.kinds ?? Object.keys(grid.nuisances);
  const missing = kinds.find((kind) => !(kind in grid.nuisances));
  if (missing) throw expected(`one of ${Object.keys(grid.nuisances).join(', ')}`, '--kinds', missing);
  return expandGrid({
    categories: choice.categories ?? grid.categories,
    nuisances: Object.fromEntries(kinds.map((kind) => [kind, grid.nuisances[kind]])),
    templates: grid.templates,
    negative: choice.negative ?? grid.negative,
    seeds: choice.seeds,
    sample: choice.sample,
    sampleSeed: choice.sampleSeed,
  });
}

interface Grid {
  readonly categories: readonly string[];
  readonly nuisances: Readonly<Record<string, readonly string[]>>;
  readonly templates: Templates;
  readonly negative?: string;
}

const imagenetDGrid = (): Grid => ({
  categories: [...imagenetDMap.keys()],
  nuisances: { background: backgrounds, texture: textures, material: materials },
  templates: defaultTemplates,
});

async function readGrid(path: string): Promise<Grid> {
  const parsed = gridFileSchema.safeParse(parse(await readText(path), { logLevel: 'silent' }));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UserError(
      `${path}: ${issue.path.join('.') || 'the grid'}: ${issue.message}; expected categories and nuisances`,
    );
  }
  return { ...parsed.data, templates: { ...defaultTemplates, ...parsed.data.templates } };
}

export async function readSheet(path: string): Promise<PromptSheetRow[]> {
  const [header, ...rows] = readCsvRows(await readText(path), { source: path });
  const columns = header?.cells ?? [];
  return readPromptSheet(
    path,
    columns,
    rows.map(({ cells }) => Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? '']))),
  );
}

export const planSheet = async (path: string, options: { seeds: readonly number[]; negative?: string }) =>
  expandSheet(await readSheet(path), options);

/** Plain prompts, each with every seed. */
export function planPrompts(
  prompts: readonly string[],
  { seeds, negative = '' }: { seeds: readonly number[]; negative?: string },
): PromptItem[] {
  return prompts.flatMap((prompt) =>
    seeds.map((seed) => ({
      id: `${fileStem(prompt)}-${createHash('sha1').update(prompt).digest('hex').slice(0, 4)}-${seed}`,
      category: '',
      kind: 'prompt',
      nuisance: prompt,
      strategy: 'prompt',
      prompt,
      negative,
      seed,
    })),
  );
}

export interface BackgroundPlan {
  readonly items: readonly PromptItem[];
  /** The photograph an item paints around, its object kept. */
  editOf(item: Pick<PromptItem, 'id'>): Promise<EditRequest>;
}

/**
 * A new background around the object of every masked photograph, named so that the scenario `generated-background` finds
 * it. The prompt comes from a sheet by label, or is one text in which `{label}` is the label.
 */
export function planBackgrounds(
  dataset: Dataset,
  {
    prompt,
    sheet,
    seed,
    negative = '',
    photographs,
  }: {
    prompt?: string;
    sheet?: readonly PromptSheetRow[];
    seed: number;
    negative?: string;
    photographs: PhotographOptions;
  },
): BackgroundPlan {
  const masked = dataset.samples.filter((sample) => sample.mask && !sample.scenario);
  if (!masked.length)
    throw new UserError('No photograph has a mask: painting around an object needs to know where it is');
  const byLabel = new Map(sheet?.map((row) => [row.label, row]));
  const bySample = new Map<string, Sample>();
  const items = masked.map((sample): PromptItem => {
    const row = byLabel.get(sample.label ?? '');
    if (sheet && !row && prompt === undefined)
      throw expected('a prompt for every class', 'the sheet', `none for '${sample.label ?? ''}'`);
    const id = sample.id.slice(0, sample.id.length - extname(sample.id).length);
    bySample.set(id, sample);
    return {
      id,
      category: sample.label ?? '',
      kind: 'generated-background',
      nuisance: row ? 'sheet' : 'prompt',
      strategy: row ? 'sheet' : 'prompt',
      prompt: row?.prompt ?? fillTemplate(prompt ?? '', { label: sample.label ?? 'object' }),
      negative: row?.negative ?? negative,
      seed,
    };
  });
  return {
    items,
    async editOf({ id }) {
      const { image, mask, maskError } = await loadPhotograph(bySample.get(id) as Sample, photographs);
      if (!mask) throw maskError ?? new UserError(`${id} has no mask`);
      return { image, keep: mask };
    },
  };
}

/** A prompt as part of a file's name: letters and digits alone, on any system. */
const fileStem = (prompt: string) =>
  prompt
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'picture';

const readText = (path: string) =>
  readFile(path, 'utf8').catch(() => {
    throw expected('a readable file', 'the prompts', path);
  });
