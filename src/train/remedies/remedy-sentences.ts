import { signedHundredthsOf } from '../../contracts/numbers.ts';
import type { RemedyResult } from '../../contracts/remedies.ts';

/** What helps and what does not, best first. */
export function remedySentences(remedies: readonly RemedyResult[]): string[] {
  const ordered = [...remedies].sort((a, b) => b.overall.difference - a.overall.difference);
  const of = (verdict: RemedyResult['verdict']) => ordered.filter((remedy) => remedy.verdict === verdict);
  const named = (list: readonly RemedyResult[]) =>
    list.map(({ title, overall }) => `${title} (${signedHundredthsOf(overall.difference)})`).join(', ');
  const [helps, hurts, unclear] = [of('helps'), of('hurts'), of('unclear')];
  const costs = helps.flatMap(({ title, scenarios }) =>
    scenarios
      .filter(({ scenario, pHolm, difference }) => scenario === 'original' && pHolm < 0.05 && difference < 0)
      .map(({ difference }) => `${title} costs ${signedHundredthsOf(-difference)} points on the unedited pictures.`),
  );
  return [
    ...(helps.length
      ? [`Helps, over all scenarios, in points: ${named(helps)}.`]
      : ['Nothing is shown to help over all scenarios.']),
    ...(hurts.length ? [`Hurts: ${named(hurts)}.`] : []),
    ...(unclear.length ? [`Not shown either way: ${named(unclear)}.`] : []),
    ...costs,
  ];
}
