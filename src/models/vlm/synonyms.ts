import { normalizeLabel } from '../../labels/match.ts';

export type Synonyms = Readonly<Record<string, readonly string[]>>;

/** Other words ImageNet-D's scorer accepts for a category (Zhang et al., 2024, LLaVA/compute_accuracy.py): facts, 32 entries. */
export const imagenetDSynonyms: Synonyms = {
  dishcloth: ['dishrag'],
  'weight exercise': ['dumbbell', 'weight'],
  'nail fastener': ['nail'],
  tv: ['television'],
  'iron for clothes': ['iron'],
  't shirt': ['t-shirt', 'shirt'],
  'laptop open': ['laptop'],
  'dress shoe men': ['dress shoe'],
  'binder closed': ['binder'],
  'portable heater': ['heater'],
  'computer mouse': ['mouse'],
  'still camera': ['camera'],
  lampshade: ['lamp shade'],
  'trash bin': ['trash can'],
  'winter glove': ['glove'],
  'band aid': ['band-aid', 'bandaid'],
  'toilet paper roll': ['roll of toilet paper'],
  'pill bottle': ['pill'],
  'soup bowl': ['bowl of soup'],
  'water bottle': ['bottle of water'],
  'pop can': ['can of'],
  'weight scale': ['scale'],
  sandal: ['flip flop'],
  'swimming trunks': ['swimming trunk'],
  'bread loaf': ['bread'],
  'coffee or french press': ['coffee press', 'french press', 'coffee machine', 'coffee maker'],
  'mixing or salad bowl': ['mixing bowl', 'salad bowl'],
  'alarm clock': ['clock'],
  wheel: ['bicycle wheel'],
  ladle: ['spoon'],
  matchstick: ['match'],
  cellphone: ['cell phone', 'mobile phone'],
};

/** A label in words: `binder_(closed)` and `binder closed` are the same. */
export const synonymKey = (label: string) => normalizeLabel(label.replaceAll(/[()]/g, ' '));

/** A label and everything that may stand for it, lower case. */
export function namesOf(label: string, synonyms: Synonyms): string[] {
  const names = label.split(',').flatMap((name) => {
    const words = name.trim().toLowerCase().replaceAll('_', ' ');
    return [words, synonymKey(name), ...(synonyms[synonymKey(name)] ?? [])];
  });
  return [...new Set(names.map((name) => name.toLowerCase().trim()).filter(Boolean))];
}
