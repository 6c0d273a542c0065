import type { Comparison, DifferenceRow } from '../../contracts/comparison.ts';
import { pairedSampleSize } from '../../stats/paired-power.ts';

const [alpha, power] = [0.05, 0.8];

/** How many images would show a difference of `detect`, with as much disagreement as was seen. */
export function powerOf(rows: readonly DifferenceRow[], detect: number): Comparison['power'] {
  return {
    detect,
    alpha,
    power,
    scenarios: rows.map(({ scenario, pairs, gained, lost }) => {
      // Half a disagreement more than was seen: none at all would promise everything.
      const discordance = (gained + lost + 0.5) / (pairs + 1);
      return {
        scenario,
        discordance,
        images: imagesFor(detect, discordance),
        detectable: detectable(pairs, discordance),
      };
    }),
  };
}

/** A difference needs at least as much disagreement as itself. */
function imagesFor(difference: number, discordance: number): number | null {
  const images = pairedSampleSize({ difference, discordance: Math.max(difference, discordance), alpha, power });
  return Number.isFinite(images) ? images : null;
}

function detectable(pairs: number, discordance: number): number | null {
  let [low, high] = [0, 1];
  if ((imagesFor(high, discordance) ?? Number.POSITIVE_INFINITY) > pairs) return null;
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if ((imagesFor(middle, discordance) ?? Number.POSITIVE_INFINITY) <= pairs) high = middle;
    else low = middle;
  }
  return high;
}
