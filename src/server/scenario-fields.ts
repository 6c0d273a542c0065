import { z } from 'zod';
import type { ParamField, ScenarioField } from '../contracts/studio/start.ts';
import { defaultParams, formatValue } from '../scenarios/params.ts';
import { type Scenario, scenarios } from '../scenarios/registry.ts';

/** Every scenario as a form asks for it: from the declarations, so that a new one needs nothing here. */
export const scenarioFields = (): ScenarioField[] =>
  scenarios.map((scenario) => {
    const { id, title, family, description, part } = scenario;
    return { id, title, family, description, part, params: paramFields(scenario) };
  });

function paramFields(scenario: Scenario): ParamField[] {
  const defaults = defaultParams(scenario);
  return Object.entries(scenario.params).map(([name, schema]) => {
    const shape = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as {
      type?: string;
      enum?: unknown[];
      minimum?: number;
      exclusiveMinimum?: number;
      maximum?: number;
      description?: string;
      anyOf?: { type?: string }[];
    };
    const isNumber = (shape.type === 'number' || shape.type === 'integer') && !shape.anyOf;
    return {
      name,
      describe: shape.description ?? '',
      kind: shape.enum ? 'choice' : isNumber ? 'number' : 'text',
      ...(shape.enum && { choices: shape.enum.map(String) }),
      ...(isNumber && { min: shape.minimum ?? shape.exclusiveMinimum, max: shape.maximum }),
      default: formatValue(defaults[name]),
    } satisfies ParamField;
  });
}
