import { expected } from '../../contracts/errors.ts';
import { randomFor } from '../../stats/random.ts';
import { spoken, withArticle } from './spoken.ts';

/** One picture to be made: what is asked for, and why. */
export interface PromptItem {
  /** Names the picture's files and its row; the same whichever part of the grid is made. */
  readonly id: string;
  readonly category: string;
  /** What is varied: `background`, `texture`, `material`, or the user's own kind. */
  readonly kind: string;
  readonly nuisance: string;
  /** Which way of saying it: a factor that `analyze` can regress on. */
  readonly strategy: string;
  readonly prompt: string;
  readonly negative: string;
  readonly seed: number;
}

/** How a kind of nuisance is put into words. `{category}` and `{nuisance}` are bare, `{a category}` has its article. */
export type Templates = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** By kind, then by strategy. The paper prints one example, of a background; the others are ours. */
export const defaultTemplates: Templates = {
  background: { plain: 'a photo of {a category} in {a nuisance}' },
  texture: { plain: 'a photo of {a category} with a {nuisance} texture' },
  material: { plain: 'a photo of {a category} made of {nuisance}' },
};

export interface PromptGrid {
  readonly categories: readonly string[];
  /** By kind. */
  readonly nuisances: Readonly<Record<string, readonly string[]>>;
  readonly templates?: Templates;
  readonly negative?: string;
  readonly seeds: readonly number[];
  /** Keeps this many, spread evenly over kinds and categories; without it the whole grid. */
  readonly sample?: number;
  /** Decides which are kept. */
  readonly sampleSeed?: number;
}

/** Categories × kinds × nuisances × strategies × seeds, in that order. */
export function expandGrid(grid: PromptGrid): PromptItem[] {
  const { categories, nuisances, templates = defaultTemplates, negative = '', seeds } = grid;
  const items: PromptItem[] = [];
  for (const [kind, words] of Object.entries(nuisances)) {
    const strategies = templates[kind];
    if (!strategies)
      throw expected(
        `one of ${Object.keys(templates).join(', ')}`,
        'a kind of nuisance',
        kind,
        'or give it a template',
      );
    for (const category of categories)
      for (const nuisance of words)
        for (const [strategy, template] of Object.entries(strategies))
          for (const seed of seeds)
            items.push({
              id: [kind, category, nuisance, strategy, seed].map(fileWord).join('/'),
              category,
              kind,
              nuisance,
              strategy,
              prompt: fillTemplate(template, { category, nuisance }),
              negative,
              seed,
            });
  }
  return grid.sample === undefined ? items : sampleEvenly(items, grid.sample, grid.sampleSeed ?? 0);
}

/** `{name}` bare, `{a name}` with its article. An unknown name is an error, not a hole in the sentence. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(a )?([^{}]*)\}/g, (_, article: string | undefined, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw expected(`{${Object.keys(values).join('}, {')}}`, `the template '${template}'`, `{${name}}`);
    return article ? withArticle(spoken(value)) : spoken(value);
  });
}

/**
 * As many of each kind and category as the number allows, chosen by a seeded order. Whole prompts are kept or left: the
 * seeds of one prompt stay together, so that a fresh seed of the same prompts can be compared.
 */
function sampleEvenly(items: readonly PromptItem[], count: number, seed: number): PromptItem[] {
  const prompts = new Map<string, PromptItem[]>();
  for (const item of items) {
    const key = withoutSeed(item);
    prompts.set(key, [...(prompts.get(key) ?? []), item]);
  }
  const strata = new Map<string, PromptItem[][]>();
  for (const group of prompts.values()) {
    const key = `${group[0].kind} ${group[0].category}`;
    strata.set(key, [...(strata.get(key) ?? []), group]);
  }
  const order = randomFor('prompts', seed);
  const queues = order.shuffle([...strata.values()].map((groups) => order.shuffle(groups)));
  const kept = new Set<PromptItem>();
  for (let round = 0; kept.size < count && queues.some((queue) => queue.length > round); round++)
    for (const queue of queues) {
      const group = queue[round];
      if (group && kept.size + group.length <= count) for (const item of group) kept.add(item);
    }
  return items.filter((item) => kept.has(item));
}

const withoutSeed = ({ kind, category, nuisance, strategy }: PromptItem) =>
  [kind, category, nuisance, strategy].join('\u0000');

const fileWord = (part: string | number) => String(part).replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
