import { shownLabel } from '../labels/imagenet-1k.ts';
import { hypergeometricTail } from '../stats/hypergeometric.ts';
import { examplesOf, type FoundMode, leastPrompts } from './found-mode.ts';
import { type PicturePool, promptGroups } from './pool.ts';

/**
 * A class that is called by another's name: is this wrong answer given to prompts of the class more often than to prompts of
 * other classes? A prompt counts once, whatever number of models and seeds gives the answer: Fisher's exact test, one side.
 */
export function confusionModes(
  pool: PicturePool,
  predictions: ReadonlyMap<string, readonly string[]>,
): { found: FoundMode[]; neverFound: number } {
  const { items, models, wrong } = pool;
  const groups = promptGroups(pool).of;
  const labels = [...new Set(items.map(({ label }) => label))];
  const given = new Map<string, number[]>();
  for (const [m, model] of models.entries())
    for (const [i, answer] of (predictions.get(model) ?? []).entries())
      if (wrong[m][i]) {
        const own = given.get(answer);
        if (own) own.push(i);
        else given.set(answer, [i]);
      }
  const found: FoundMode[] = [];
  let looked = 0;
  for (const [answer, places] of given) {
    // Pictures of the answer's own class cannot be called so wrongly.
    const asked = [...items.keys()].filter((i) => items[i].label !== answer);
    for (const label of labels) {
      if (label === answer) continue;
      looked++;
      const own = asked.filter((i) => items[i].label === label);
      const here = places.filter((i) => items[i].label === label);
      if (here.length === 0) continue;
      const prompts = (of: readonly number[]) => new Set(of.map((i) => groups[i])).size;
      const called = prompts(here);
      const p = hypergeometricTail(called, { all: prompts(asked), marked: prompts(places), draws: prompts(own) });
      const fails = here.length / (own.length * models.length);
      const others = (asked.length - own.length) * models.length;
      const elsewhere = others ? (places.length - here.length) / others : 0;
      const value = `${shownLabel(label)} called ${shownLabel(answer)}`;
      found.push({
        ...{ by: 'confusion', value, pictures: new Set(here).size, fails, elsewhere, p },
        ...{ ratio: elsewhere ? fails / elsewhere : null, ci: null, shares: [] },
        examples: examplesOf(here.map((i) => items[i])),
      });
    }
  }
  const told = found.filter(({ pictures }) => pictures >= leastPrompts);
  return { found: told, neverFound: looked - told.length };
}
