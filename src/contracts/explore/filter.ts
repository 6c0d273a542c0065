import { z } from 'zod';

/** Where in the picture the middle of the object lies. */
export const places = [
  'top left',
  'top',
  'top right',
  'left',
  'middle',
  'right',
  'bottom left',
  'bottom',
  'bottom right',
] as const;
export type ObjectPlace = (typeof places)[number];

/** `0.2-0.5`. */
const range = z
  .string()
  .regex(/^\d(\.\d+)?-\d(\.\d+)?$/, 'two shares between 0 and 1, as in 0.2-0.5')
  .transform((text) => text.split('-').map(Number) as [number, number])
  .refine(([low, high]) => low >= 0 && low <= high && high <= 1, 'two shares between 0 and 1, the smaller first');
const words = z.array(z.string());

/** Which answers, and so which variants, are looked at. A filter that is left out lets everything through. */
export const filterSchema = z.object({
  model: words.optional(),
  scenario: words.optional(),
  class: words.optional(),
  fold: z.array(z.coerce.number().int()).optional(),
  outcome: z.enum(['right', 'wrong']).optional(),
  /** Against the same model's answer to the original. */
  flip: z.enum(['lost', 'gained', 'changed']).optional(),
  /** Probability of the answer given. */
  confidence: range.optional(),
  /** The object's share of the photograph. */
  size: range.optional(),
  place: z.array(z.enum(places)).optional(),
  /** With `class`: a confusion, asked → answered. */
  answered: words.optional(),
  /** A part of the sample's name, or the whole of it after `=`. */
  sample: z.string().optional(),
  /** A cluster of the map, or a line drawn around points of it (`x,y,x,y,…`); the server knows which variants those are. */
  cluster: z.string().optional(),
  lasso: z.string().max(20_000).optional(),
  /** Which map: a backbone's name. */
  map: z.string().optional(),
});
export type Filter = z.infer<typeof filterSchema>;

const lists = new Set(['model', 'scenario', 'class', 'fold', 'place', 'answered']);
export const filterKeys = Object.keys(filterSchema.shape) as (keyof Filter)[];

/** From an address; keys that are no filter are passed over. */
export function filterFromQuery(query: URLSearchParams): Filter {
  const given: Record<string, unknown> = {};
  for (const key of filterKeys) {
    const values = query.getAll(key).filter((value) => value !== '');
    if (values.length) given[key] = lists.has(key) ? values : values[0];
  }
  return filterSchema.parse(given);
}

/** Into an address: what `filterFromQuery` reads. */
export function filterToQuery(filter: Filter): [string, string][] {
  return filterKeys.flatMap((key): [string, string][] => {
    const value = filter[key];
    if (value === undefined) return [];
    if (key === 'confidence' || key === 'size') return [[key, (value as number[]).join('-')]];
    return (Array.isArray(value) ? value : [value]).map((each) => [key, String(each)]);
  });
}

export const sortings = ['fails', 'sure', 'unsure', 'name'] as const;
export const groupings = ['none', 'scenario', 'sample', 'class'] as const;

/** How the variants found are laid out. */
export const layoutSchema = z.object({
  /** `fails`: most failing models first; `sure`: most confident answer first. */
  sort: z.enum(sortings).default('fails'),
  group: z.enum(groupings).default('none'),
});
export type Layout = z.infer<typeof layoutSchema>;
