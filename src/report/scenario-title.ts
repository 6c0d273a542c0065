import { findScenario } from '../scenarios/registry.ts';

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

/** The object is gone: to be wrong is then no mistake, so these count neither as edits nor as losses. */
export const removesObject = (name: string): boolean => /^(only[-_]bg([-_][bt])?|no[-_]fg)$/.test(name.split(':')[0]);

/** What is measured to know the method's own cost, not the model's weakness. */
export const isControl = (name: string): boolean => findScenario(name.split(':')[0])?.family === 'control';

/** The object, untouched, stands before a background that is not its own: what is lost then was the scene's. */
export function swapsBackground(name: string): boolean {
  const found = findScenario(name.split(':')[0]);
  if (!found || removesObject(name) || found.object !== 'untouched') return false;
  return found.needs.some((need) => need === 'backgrounds' || need === 'generator' || need === 'others');
}
