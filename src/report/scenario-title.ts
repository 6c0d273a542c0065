import { findScenario, partOf } from '../scenarios/registry.ts';

/** A scenario's name for readers: its title, and its settings where the name has some. */
export function scenarioTitle(name: string): string {
  const colon = name.indexOf(':');
  const id = colon < 0 ? name : name.slice(0, colon);
  const found = findScenario(id);
  if (!found) return name;
  const settings =
    colon < 0
      ? ''
      : name
          .slice(colon + 1)
          .replaceAll('=', ' ')
          .replaceAll('+', ', ');
  return settings ? `${found.title} (${settings})` : found.title;
}

/** The object is gone: to be wrong is then no mistake. */
export const removesObject = (name: string): boolean => partOf(name) === 'removal';
