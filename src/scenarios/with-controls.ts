import { type NamedScenario, parseScenario } from './name.ts';

/** Wherever a background is replaced, pasting back runs too: without it nobody knows what the pasting alone costs. */
export function withPasteBack(named: readonly NamedScenario[]): NamedScenario[] {
  const replaces = named.some(({ scenario }) => scenario.otherBackground);
  const has = named.some(({ scenario }) => scenario.id === 'paste-back');
  return replaces && !has ? [...named, parseScenario('paste-back')] : [...named];
}
