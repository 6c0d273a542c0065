import { expected } from '../../contracts/errors.ts';
import type { NamedChoice } from '../../contracts/published.ts';
import { imagenetDName } from '../../labels/imagenet-d.ts';
import { namesOf, type Synonyms } from './synonyms.ts';

/**
 * Questions with two choices. `imagenet-d` is the published one, its choices joined as published; `{first}` and
 * `{second}` are the choices in the order they are put.
 */
export const questions: Readonly<Record<string, string>> = {
  plain: 'Which of the two does this picture mainly show: {first} or {second}? Answer with that name only.',
  'imagenet-d': 'What is the main object in this image? Choose from the following list: {first}, {second}.',
};

export function questionText(wording: string): string {
  const text = questions[wording] ?? wording;
  if (!text.includes('{first}') || !text.includes('{second}'))
    throw expected(
      `one of ${Object.keys(questions).join(', ')}, or a text with {first} and {second}`,
      'vlm.question',
      wording,
    );
  return text;
}

/** A label as one says it. */
const spoken = (label: string) => imagenetDName(label.split(',')[0].trim());

export const ask = (text: string, first: string, second: string) =>
  text.replaceAll('{first}', spoken(first)).replaceAll('{second}', spoken(second));

export interface ReadOptions {
  readonly truth: string;
  readonly distractor: string;
  readonly synonyms: Synonyms;
  /** `substring`: anywhere, as ImageNet-D's scorer; `words`: whole words, a plural allowed. */
  readonly matching: 'words' | 'substring';
}

/**
 * Longer names are looked for first and taken out of the answer, so that `can opener` is not read as `pen`, nor `drying
 * rack for plates` as `plate`.
 */
export function readAnswer(answer: string, { truth, distractor, synonyms, matching }: ReadOptions): NamedChoice {
  const truthNames = namesOf(truth, synonyms);
  const other = new Set(namesOf(distractor, synonyms));
  const names = [
    ...truthNames.filter((name) => !other.has(name)).map((name) => ({ name, is: 'truth' as const })),
    ...[...other].filter((name) => !truthNames.includes(name)).map((name) => ({ name, is: 'distractor' as const })),
  ].sort((a, b) => b.name.length - a.name.length);
  let rest = answer.toLowerCase();
  const found = { truth: false, distractor: false };
  for (const { name, is } of names) {
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '[\\s-]+');
    const pattern = matching === 'words' ? `(?<![\\p{L}\\p{N}])${escaped}(?:e?s)?(?![\\p{L}\\p{N}])` : escaped;
    const cut = rest.replaceAll(new RegExp(pattern, 'gu'), ' · ');
    if (cut !== rest) found[is] = true;
    rest = cut;
  }
  if (found.truth && found.distractor) return 'both';
  if (found.truth) return 'truth';
  return found.distractor ? 'distractor' : 'neither';
}

export interface JudgedReply {
  readonly prediction: string;
  readonly correct: boolean;
  /** Share of the orders in which the prediction was named. */
  readonly probability: number;
  /** In the first order. */
  readonly named: NamedChoice;
}

/**
 * One verdict from the answers in every order that was asked. Right is what is right in all of them: a model that names
 * whatever comes first is right in one order of two, and has recognised nothing. One that names both or neither has not
 * answered, which is not right either; ImageNet-D leaves such answers out (`score --as-published`).
 */
export function judgeAnswers(named: readonly NamedChoice[], { truth, distractor }: ReadOptions): JudgedReply {
  const words = { truth, distractor, both: 'both choices', neither: 'neither choice' };
  const [first] = named;
  if (named.every((name) => name === first))
    return { prediction: words[first], correct: first === 'truth', probability: 1, named: first };
  const right = named.filter((name) => name === 'truth').length;
  return { prediction: 'undecided', correct: false, probability: 1 - right / named.length, named: first };
}
