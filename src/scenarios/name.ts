import { expected } from '../contracts/errors.ts';
import { nearest } from '../contracts/nearest.ts';
import { defaultParams, formatValue, parseValue } from './params.ts';
import { presets } from './presets.ts';
import { findScenario, type Scenario, scenarios } from './registry.ts';

/** A scenario with its settings, and the one name of both. */
export interface NamedScenario {
  readonly scenario: Scenario;
  readonly params: Record<string, unknown>;
  /** `id`, `id:value` or `id:param=value+param=value`; a setting at its default is left out, unless it is a level. */
  readonly name: string;
}

/** Reads `id`, `id:value` (the first declared parameter) or `id:param=value+param=value`. */
export function parseScenario(text: string, { field = 'scenario' }: { field?: string } = {}): NamedScenario {
  const trimmed = text.trim();
  const colon = trimmed.indexOf(':');
  const id = colon < 0 ? trimmed : trimmed.slice(0, colon);
  const scenario = findScenario(id);
  if (!scenario) throw unknownScenario(id, field);
  const params = {
    ...defaultParams(scenario),
    ...(colon < 0 ? {} : parseSettings(scenario, trimmed.slice(colon + 1))),
  };
  return { scenario, params, name: formatScenario(scenario, params) };
}

function parseSettings(scenario: Scenario, text: string): Record<string, unknown> {
  const declared = Object.keys(scenario.params);
  if (declared.length === 0) throw expected('no setting', scenario.id, text, `write ${scenario.id} alone`);
  const settings: Record<string, unknown> = {};
  for (const [position, part] of text.split('+').entries()) {
    const equals = part.indexOf('=');
    // A value without a name is the first parameter's; further ones must say whose they are.
    const name = equals < 0 && position === 0 ? declared[0] : part.slice(0, Math.max(0, equals)).trim();
    if (!declared.includes(name)) {
      const near = nearest(name, declared);
      const hint = near ? `did you mean ${near}?` : `write for instance ${example(scenario)}`;
      throw expected(`one of ${declared.join(', ')}`, `a setting of ${scenario.id}`, name || part, hint);
    }
    if (name in settings) throw expected('one value', `${scenario.id}:${name}`, text);
    settings[name] = parseValue(scenario, name, part.slice(equals + 1).trim());
  }
  return settings;
}

const example = (scenario: Scenario): string => {
  const [[name, value]] = Object.entries(defaultParams(scenario));
  return `${scenario.id}:${name}=${formatValue(value)}`;
};

export function formatScenario(scenario: Scenario, params: Record<string, unknown>): string {
  const defaults = defaultParams(scenario);
  const given = Object.keys(scenario.params)
    .map((name, position) => ({ name, position, value: formatValue(params[name] ?? defaults[name]) }))
    .filter(
      ({ name, position, value }) => value !== formatValue(defaults[name]) || (scenario.explicit && position === 0),
    );
  if (given.length === 0) return scenario.id;
  if (given.length === 1 && given[0].position === 0) return `${scenario.id}:${given[0].value}`;
  return `${scenario.id}:${given.map(({ name, value }) => `${name}=${value}`).join('+')}`;
}

/** Reads a list of scenarios and presets; order is kept, and what comes twice counts once. */
export function parseScenarioList(
  text: string | readonly string[],
  { field = '--scenarios' }: { field?: string } = {},
): NamedScenario[] {
  const items = (typeof text === 'string' ? [text] : text).flatMap((part) => part.split(','));
  const named = new Map<string, NamedScenario>();
  for (const item of items.map((part) => part.trim()).filter(Boolean)) {
    for (const name of presets[item]?.scenarios ?? [item]) {
      const parsed = parseScenario(name, { field });
      if (!named.has(parsed.name)) named.set(parsed.name, parsed);
    }
  }
  if (named.size === 0) throw expected('at least one scenario', field, text, 'see sceneshift scenarios');
  return [...named.values()];
}

function unknownScenario(id: string, field: string) {
  const near = nearest(id, [...scenarios.map((scenario) => scenario.id), ...Object.keys(presets)]);
  if (near === id) return expected('one scenario', field, id, `it is a preset, of ${presets[id].scenarios.join(', ')}`);
  return expected('a known scenario or preset', field, id, near ? `did you mean ${near}?` : 'see sceneshift scenarios');
}
