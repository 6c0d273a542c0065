import type { LabelSet } from './label-set.ts';

export interface LabelMatch {
  /** Indices that fit; several: the text is ambiguous (`crane` is a bird and a machine). Empty: none fits. */
  readonly indices: readonly number[];
  /** What the text fitted: the whole label, its WordNet id, its first name, or another of its names. */
  readonly by: 'wnid' | 'label' | 'first-name' | 'synonym' | 'none';
}

/** Case, underscores, hyphens, full stops, apostrophes, accents and repeated spaces make no difference. */
export const normalizeLabel = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’`]/g, '')
    .toLowerCase()
    .replace(/[\s_.\-/]+/g, ' ')
    .trim();

interface LabelIndex {
  /** The list it was made from: one list of names may come with wnids and without. */
  readonly from: readonly string[] | undefined;
  readonly wnids: ReadonlyMap<string, number>;
  /** From the strictest to the loosest way of fitting. */
  readonly levels: readonly { by: LabelMatch['by']; entries: Map<string, number[]> }[];
}

const indexes = new WeakMap<readonly string[], LabelIndex>();

/**
 * Finds a dataset's word for a class among labels. The strictest way that fits decides, so `maillot, tank suit` is one class
 * where that is a label, `missile` is the class of that first name and not `projectile, missile`, and `maillot`, the first
 * name of two, is both.
 */
export function matchLabel(text: string, labels: LabelSet | readonly string[]): LabelMatch {
  const set: LabelSet = 'names' in labels ? labels : { names: labels };
  const known = indexes.get(set.names);
  const index = known && known.from === set.wnids ? known : buildIndex(set);
  const wnid = index.wnids.get(text.trim().toLowerCase());
  if (wnid !== undefined) return { indices: [wnid], by: 'wnid' };
  const key = normalizeLabel(text);
  for (const form of [key, squeeze(key)]) {
    for (const { by, entries } of index.levels) {
      const indices = entries.get(form);
      if (indices) return { indices, by };
    }
  }
  return { indices: [], by: 'none' };
}

/** `ice cream` and `icecream` meet where nothing better fits. */
const squeeze = (key: string) => `\u0000${key.replaceAll(' ', '')}`;

function buildIndex({ names, wnids }: LabelSet): LabelIndex {
  const levels = (['label', 'first-name', 'synonym'] as const).map((by) => ({
    by,
    entries: new Map<string, number[]>(),
  }));
  const add = (entries: Map<string, number[]>, name: string, output: number) => {
    for (const form of [name, squeeze(name)]) {
      const known = entries.get(form);
      if (!known) entries.set(form, [output]);
      else if (!known.includes(output)) known.push(output);
    }
  };
  names.forEach((label, output) => {
    const parts = label.split(',').map(normalizeLabel).filter(Boolean);
    // A label of one name is both a whole label and a first name; only lists of names are matched as a whole.
    if (parts.length > 1) add(levels[0].entries, parts.join(', '), output);
    if (parts[0]) add(levels[1].entries, parts[0], output);
    for (const part of parts) add(levels[2].entries, part, output);
  });
  const index = { from: wnids, wnids: new Map(wnids?.map((wnid, output) => [wnid, output])), levels };
  indexes.set(names, index);
  return index;
}
