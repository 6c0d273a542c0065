import { UserError } from '../errors.ts';
import type { MiningRecord, Released } from '../mining.ts';
import type { MinedPicture, MinedPictures, MinedPool, MinedQuery } from './mine.ts';

const mostShown = 120;

const keyOf = ({ scenario, sample }: { scenario: string; sample: string }) => `${scenario}\n${sample}`;

/** The pictures behind a number of the page *Mined*; asked of the server, and in the page of an exported site. */
export function chooseMined(
  { models, words, items, wrongAnswers }: MinedPool,
  { set, wrong, right, nuisance, class: label, mode }: MinedQuery,
  { mining, released }: { mining: MiningRecord; released: Released | null },
): MinedPictures {
  const unknown = [...wrong, ...right].find((name) => !models.includes(name));
  if (unknown !== undefined) throw new UserError(`The run has no model ${unknown}`);
  const members = membersOf(set, mode, mining, released);
  const fails = (model: string, i: number) => wrongAnswers[models.indexOf(model)][i] >= 0;
  const found = [...items.keys()].filter(
    (i) =>
      (!members || members.has(keyOf(items[i]))) &&
      (nuisance === undefined || items[i].nuisance === nuisance) &&
      (label === undefined || items[i].label === label) &&
      wrong.every((model) => fails(model, i)) &&
      right.every((model) => !fails(model, i)),
  );
  return {
    total: found.length,
    pictures: found.slice(0, mostShown).map((i): MinedPicture => {
      const failing = models.filter((model) => fails(model, i));
      return {
        ...{ sample: items[i].sample, scenario: items[i].scenario, label: items[i].name },
        ...{ nuisance: items[i].detail ?? items[i].nuisance, wrong: failing, models: models.length },
        answer: mostFrequent(failing.map((model) => words[wrongAnswers[models.indexOf(model)][i]])),
      };
    }),
  };
}

/** Undefined: every picture of the pool. */
function membersOf(set: MinedQuery['set'], mode: number | undefined, mining: MiningRecord, released: Released | null) {
  if (mode !== undefined) {
    const found = mining.modes[mode];
    if (!found) throw new UserError(`There is no failure mode ${mode}`);
    return new Set(found.examples.map(keyOf));
  }
  if (set === 'pool') return undefined;
  if (set === 'released' && !released) throw new UserError('Nothing has been released');
  return new Set((set === 'released' ? (released?.released ?? []) : mining.chosen).map(keyOf));
}

function mostFrequent(words: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? null;
}
