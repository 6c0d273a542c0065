import { expected } from '../../contracts/errors.ts';
import { imagenetDName } from '../../labels/imagenet-d.ts';

interface PromptSet {
  readonly templates: readonly string[];
  readonly word: (label: string) => string;
}

const firstName = (label: string) => label.split(',')[0].trim();
const plain = (label: string) => firstName(label).replaceAll('_', ' ');

/** Ready-made prompts. `imagenet-d` is what Zhang et al. (2024) ask, their way of writing labels included. */
const promptSets: Record<string, PromptSet> = {
  photo: { templates: ['a photo of a {}.'], word: plain },
  label: { templates: ['{}'], word: plain },
  'imagenet-d': {
    templates: ['A photo of a {}'],
    word: (label) => imagenetDName(firstName(label)).toLowerCase().replaceAll(/[_-]/g, ' ').replaceAll('/', ' or '),
  },
};

/** Every prompt of every class: `prompts[class][template]`. */
export function promptsFor(labels: readonly string[], templates: string | readonly string[] = 'photo'): string[][] {
  const set = typeof templates === 'string' ? promptSets[templates] : { templates, word: plain };
  if (!set)
    throw expected(`one of ${Object.keys(promptSets).join(', ')}, or a list of templates`, 'clip.templates', templates);
  const without = set.templates.find((template) => !template.includes('{}'));
  if (without !== undefined || set.templates.length === 0)
    throw expected('templates with {} where the label goes', 'clip.templates', without ?? []);
  return labels.map((label) => set.templates.map((template) => template.replaceAll('{}', set.word(label))));
}
