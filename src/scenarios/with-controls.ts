import { formatScenario, type NamedScenario, parseScenario } from './name.ts';
import { borders } from './paste.ts';

/** Wherever a background is replaced, `paste-back` runs too: without it the cost of the pasting alone is unknown. */
export function withPasteBack(named: readonly NamedScenario[]): NamedScenario[] {
  const replaces = named.some(({ scenario }) => scenario.otherBackground);
  const has = named.some(({ scenario }) => scenario.id === 'paste-back');
  return replaces && !has ? [...named, parseScenario('paste-back')] : [...named];
}

/**
 * Where masks have an uncertain border, one scenario that replaces the background, and pasting back, are also made with
 * the border counted to the object and to the background, to see how far the verdict depends on the masks. Only one,
 * since each costs as much as a shift.
 */
export function withBorderTrials(named: readonly NamedScenario[]): NamedScenario[] {
  const replacing = named.filter(({ scenario, params }) => scenario.otherBackground && params.border === 'auto');
  const cheapest = replacing.find(({ scenario }) => !scenario.needs.includes('generator')) ?? replacing[0];
  const pasted = named.find(({ scenario, params }) => scenario.id === 'paste-back' && params.border === 'auto');
  if (!cheapest || !pasted) return [...named];
  const trials = [cheapest, pasted].flatMap(({ scenario, params }) =>
    borders
      .filter((border) => border !== 'auto')
      .map((border): NamedScenario => {
        const settings = { ...params, border };
        return { scenario, params: settings, name: formatScenario(scenario, settings) };
      }),
  );
  const known = new Set(named.map(({ name }) => name));
  return [...named, ...trials.filter(({ name }) => !known.has(name))];
}
