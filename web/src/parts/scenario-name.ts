import type { ScenarioField } from '../../../src/contracts/studio/start.ts';

/** `id:param=value+param=value`; the server leaves out what is at its default. */
export function scenarioName(id: string, settings: Record<string, string>): string {
  const given = Object.entries(settings).filter(([, value]) => value !== '');
  return given.length ? `${id}:${given.map(([name, value]) => `${name}=${value}`).join('+')}` : id;
}

/** The id, and the settings by their names. */
export function fromName(text: string, scenarios: readonly ScenarioField[]): [string, Record<string, string>] {
  const [id, rest] = text.split(/:(.*)/);
  const first = scenarios.find((scenario) => scenario.id === id)?.params[0]?.name ?? '';
  const settings = (rest ?? '')
    .split('+')
    .filter(Boolean)
    .map((part) => (part.includes('=') ? (part.split('=') as [string, string]) : ([first, part] as [string, string])));
  return [id, Object.fromEntries(settings)];
}
