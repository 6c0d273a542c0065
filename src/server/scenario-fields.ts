import type { ParamField, ScenarioField } from '../contracts/studio/start.ts';
import { defaultParams, describeParams, formatValue, type JsonSchema, jsonSchema } from '../scenarios/params.ts';
import { type Scenario, scenarios } from '../scenarios/registry.ts';

const known = new WeakMap<Scenario, ScenarioField>();

/** Every scenario as a form asks for it: from the declarations, so that a new one needs nothing here. */
export const scenarioFields = (): ScenarioField[] =>
  scenarios.map((scenario) => {
    const { id, title, family, description, part } = scenario;
    // Looking through the schemas of all of them takes longer than a page takes to load.
    const field = known.get(scenario) ?? { id, title, family, description, part, params: paramFields(scenario) };
    known.set(scenario, field);
    return field;
  });

function paramFields(scenario: Scenario): ParamField[] {
  const defaults = defaultParams(scenario);
  const described = describeParams(scenario);
  return Object.entries(scenario.params).map(([name, schema]) => {
    const shape = jsonSchema(schema);
    const number = [shape, ...(shape.anyOf ?? [])].find(({ type }) => type === 'number' || type === 'integer');
    const words = shape.anyOf?.flatMap((one) => (one.const === undefined ? [] : [String(one.const)])) ?? [];
    return {
      name,
      describe: described.find((param) => param.name === name)?.description ?? '',
      kind: shape.enum ? 'choice' : number ? 'number' : 'text',
      ...(shape.enum && { choices: shape.enum.map(String) }),
      ...(number && numberField(number)),
      ...(number && words.length && { words }),
      default: formatValue(defaults[name]),
    } satisfies ParamField;
  });
}

function numberField(shape: JsonSchema): Pick<ParamField, 'min' | 'max' | 'step' | 'without'> {
  // Zod writes the safe integers as limits of every whole number.
  const safe = (n: number | undefined) => (n !== undefined && Math.abs(n) < Number.MAX_SAFE_INTEGER ? n : undefined);
  const step = shape.accepts?.startsWith('an odd number') ? 2 : shape.type === 'integer' ? 1 : undefined;
  const without = (['min', 'max'] as const).filter(
    (end) => shape[`exclusive${end === 'min' ? 'Min' : 'Max'}imum`] !== undefined,
  );
  return {
    ...(without.length && { without }),
    min: safe(shape.minimum) ?? safe(shape.exclusiveMinimum),
    max: safe(shape.maximum) ?? safe(shape.exclusiveMaximum),
    ...(step && { step }),
  };
}
