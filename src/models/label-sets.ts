import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { imagenet1k } from '../labels/imagenet-1k.ts';
import { imagenet9 } from '../labels/imagenet-9.ts';
import { imagenetDMap } from '../labels/imagenet-d.ts';
import type { LabelSet } from '../labels/label-set.ts';
import { normalizeLabel } from '../labels/match.ts';

/** Label sets known by name. */
const knownSets: Record<string, LabelSet> = {
  'imagenet-1k': imagenet1k,
  'imagenet-9': imagenet9,
  'imagenet-d': { names: [...imagenetDMap.keys()] },
};

export interface Labels extends LabelSet {
  readonly from: string;
}

/** Labels as a record or config gives them: a list, a known set's name, or a file with one name per line. */
export function loadLabels(labels: string | readonly string[], from: string, model: string): Labels {
  if (typeof labels !== 'string') return withWnids(labels, from);
  if (knownSets[labels]) return { ...knownSets[labels], from: `${labels}, from ${from}` };
  for (const file of [labels, resolve(dirname(model), labels)]) {
    if (!existsSync(file)) continue;
    const names = readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim());
    while (names.at(-1) === '') names.pop();
    return withWnids(names, file);
  }
  throw new UserError(
    `Expected ${Object.keys(knownSets)
      .map((name) => `'${name}'`)
      .join(', ')}, a file with one name per line, or a list for labels in ${from} but received '${labels}'`,
  );
}

/** A list that is ImageNet's, in whatever spelling, can also be met by wnid. */
function withWnids(names: readonly string[], from: string): Labels {
  const first = (name: string) => normalizeLabel(name.split(',')[0]);
  const same = names.filter((name, i) => i < 1000 && first(name) === first(imagenet1k.names[i])).length;
  return names.length === 1000 && same >= 900 ? { names, wnids: imagenet1k.wnids, from } : { names, from };
}

/** Nothing is said about the labels: the number of outputs often tells. */
export function guessLabels(task: 'classify' | 'segment', outputCount: number): Labels | undefined {
  if (task === 'segment') return outputCount === 1 ? { names: ['background', 'object'], from: 'one map' } : undefined;
  if (outputCount === 1000) return { ...imagenet1k, from: 'imagenet-1k (guessed from 1000 outputs)' };
  // TensorFlow's ImageNet models put a background class first.
  if (outputCount === 1001)
    return {
      names: ['background', ...imagenet1k.names],
      wnids: ['background', ...imagenet1k.wnids],
      from: 'background and imagenet-1k (guessed from 1001 outputs)',
    };
  return undefined;
}
