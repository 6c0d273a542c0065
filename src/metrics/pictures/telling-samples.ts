import type { Telling } from '../../contracts/pictures.ts';
import type { Sample } from '../../contracts/sample.ts';
import { chooseTelling } from './choose-telling.ts';
import { tallySamples } from './tally-samples.ts';

/** A report embeds the pictures and stays below 6 MB; so many small pictures fit. */
const mostPictures = 420;

/** The samples of a run that are worth showing in every scenario, by its stored answers. */
export async function tellingSamples(
  run: string,
  {
    samples,
    scenarios,
    most = 12,
  }: { readonly samples: readonly Sample[]; readonly scenarios: readonly string[]; readonly most?: number },
): Promise<Telling[]> {
  const known = new Set(samples.map(({ id }) => id));
  const tallies = (await tallySamples(run)).filter(({ sample }) => known.has(sample));
  const fitting = Math.max(2, Math.floor(mostPictures / Math.max(1, scenarios.length)));
  return chooseTelling(tallies, { most: Math.min(most, fitting) });
}
