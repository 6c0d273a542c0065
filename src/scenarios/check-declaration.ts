import { expected } from '../contracts/errors.ts';
import { scenarioPartSchema } from '../contracts/scenario-part.ts';
import { families, type ParamShape, type Scenario } from './define.ts';
import { describeParams } from './params.ts';

const needs = ['mask', 'backgrounds', 'generator', 'others'];
const promises = ['untouched', 'moved', 'changed'];
const parts = scenarioPartSchema.options.filter((part) => part !== 'original');

type Rule = readonly [field: keyof Scenario, what: string, holds: (value: unknown) => boolean];

const oneOf = (choices: readonly string[]) => (value: unknown) => choices.includes(value as string);
const text = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

const rules: readonly Rule[] = [
  ['id', 'an id of small letters, digits and hyphens', text(/^[a-z0-9]+(-[a-z0-9]+)*$/)],
  ['family', `one of ${Object.keys(families).join(', ')}`, oneOf(Object.keys(families))],
  ['part', `one of ${parts.join(', ')}`, oneOf(scenarioPartSchema.options)],
  ['title', 'a title with a capital and no full stop', text(/^[A-Z].*[^.]$/)],
  ['description', 'one sentence that ends with a full stop', text(/^[A-Z].*\.$/s)],
  ['object', `one of ${promises.join(', ')}`, oneOf(promises)],
  ['needs', `a list of ${needs.join(', ')}`, (value) => Array.isArray(value) && value.every(oneOf(needs))],
  ['params', 'settings by name', (value) => typeof value === 'object' && value !== null],
  ['apply', 'a function', (value) => typeof value === 'function'],
];

/**
 * Throws what is wrong with a declaration. A plugin may be plain JavaScript, so what the compiler would check is
 * checked here.
 */
export function checkDeclaration(scenario: Scenario<ParamShape>): void {
  const name = `the scenario ${typeof scenario?.id === 'string' ? scenario.id : ''}`.trim();
  for (const [field, what, holds] of rules) {
    const value = scenario?.[field];
    if (!holds(value)) throw expected(`${what} (${field})`, name, value);
  }
  for (const [param, type] of Object.entries(scenario.params)) {
    const ofParam = `${name}: ${param}`;
    if (!/^[a-zA-Z]+$/.test(param)) throw expected('a name of letters', `a setting of ${name}`, param);
    if (typeof type?.safeParse !== 'function' || !type.safeParse(undefined).success)
      throw expected('a zod type with a default', ofParam, typeof type, "write z.number().default(1).describe('…')");
  }
  for (const param of describeParams(scenario)) {
    if (!param.description) throw expected('a description', `${name}: ${param.name}`, undefined, 'add .describe(…)');
    if (!/^[a-z0-9.-]+$/.test(param.default))
      throw expected('a default of small letters, digits, dots and hyphens', `${name}: ${param.name}`, param.default);
  }
}
