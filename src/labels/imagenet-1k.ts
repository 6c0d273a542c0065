import { imagenet1kSynsets } from './imagenet-1k-synsets.ts';
import type { LabelSet } from './label-set.ts';

/** ImageNet-1k: output index ↔ wnid ↔ names; `names[i]` holds all the words of a class, separated by commas. */
export const imagenet1k: LabelSet & { readonly wnids: readonly string[] } = (() => {
  const lines = imagenet1kSynsets.trim().split('\n');
  return {
    id: 'imagenet-1k',
    names: lines.map((line) => line.slice(10)),
    wnids: lines.map((line) => line.slice(0, 9)),
  };
})();

const indexByWnid = new Map(imagenet1k.wnids.map((wnid, index) => [wnid, index]));

/** The output index of a WordNet id, where ImageNet-1k has it. */
export const imagenetIndexOf = (wnid: string): number | undefined => indexByWnid.get(wnid);

/** A class's first name: `tench` for 0. */
export const imagenetName = (index: number): string => imagenet1k.names[index].split(',')[0];

const nameByWnid = (() => {
  const count = new Map<string, number>();
  imagenet1k.wnids.forEach((_, index) => {
    const name = imagenetName(index);
    count.set(name, (count.get(name) ?? 0) + 1);
  });
  // Two are called crane, two maillot.
  return new Map(
    imagenet1k.wnids.map((wnid, index) => {
      const name = imagenetName(index);
      return [wnid, count.get(name) === 1 ? name : `${name} (${wnid})`];
    }),
  );
})();

/** What people are shown for a label: the name of a wnid that ImageNet-1k knows, else the label itself. No two share one. */
export const shownLabel = (label: string): string => nameByWnid.get(label) ?? label;
