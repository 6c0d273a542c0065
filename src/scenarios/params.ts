import { z } from 'zod';
import { expected } from '../contracts/errors.ts';
import type { Scenario } from './define.ts';

/** A declared parameter in the words of the list, the documentation and error messages. */
export interface ParamInfo {
  readonly name: string;
  readonly description: string;
  /** What may be given: `a whole number from 1 to 5`, `random or a number`. */
  readonly accepts: string;
  /** As written in a name. */
  readonly default: string;
}

export const defaultParams = (scenario: Scenario): Record<string, unknown> =>
  Object.fromEntries(Object.entries(scenario.params).map(([name, type]) => [name, type.parse(undefined)]));

export const describeParams = (scenario: Scenario): ParamInfo[] =>
  Object.entries(scenario.params).map(([name, type]) => ({
    name,
    description: type.description ?? describedInside(type) ?? '',
    accepts: accepts(type),
    default: formatValue(type.parse(undefined)),
  }));

// `.describe()` before `.default()` stays on the inner type.
function describedInside(type: z.ZodType): string | undefined {
  return type instanceof z.ZodDefault ? (type.unwrap() as z.ZodType).description : undefined;
}

/** A value as written in a name: no sign that separates, and one text for one number. */
export function formatValue(value: unknown): string {
  return typeof value === 'number' ? String(value === 0 ? 0 : value).replace('e+', 'e') : String(value);
}

/** The value a text stands for: a number or truth value where the parameter takes one, else the text. */
export function parseValue(scenario: Scenario, name: string, text: string): unknown {
  const type = scenario.params[name];
  const number = Number(text);
  const readings: unknown[] = text.trim() !== '' && Number.isFinite(number) ? [number] : [];
  if (text === 'true' || text === 'false') readings.push(text === 'true');
  readings.push(text);
  for (const reading of readings) {
    const result = type.safeParse(reading);
    if (result.success) return result.data;
  }
  throw expected(accepts(type), `${scenario.id}:${name}`, text);
}

export interface JsonSchema {
  /** Of our own: what is taken, in words, where the rest cannot say it. */
  readonly accepts?: string;
  readonly type?: string;
  readonly enum?: unknown[];
  readonly const?: unknown;
  readonly anyOf?: JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly pattern?: string;
}

export const jsonSchema = (type: z.ZodType): JsonSchema =>
  z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

const accepts = (type: z.ZodType): string => inWords(jsonSchema(type));

function inWords(schema: JsonSchema): string {
  if (schema.accepts) return schema.accepts;
  if (schema.anyOf) return schema.anyOf.map(inWords).join(' or ');
  if (schema.enum)
    return schema.enum
      .map(formatValue)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1');
  if (schema.const !== undefined) return formatValue(schema.const);
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'number' || schema.type === 'integer') {
    return `a ${schema.type === 'integer' ? 'whole number' : 'number'}${limits(schema)}`;
  }
  return 'a word';
}

function limits({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  // Zod writes the safe integers as limits of every whole number.
  const safe = (n: number | undefined) => (n !== undefined && Math.abs(n) < Number.MAX_SAFE_INTEGER ? n : undefined);
  const low = safe(minimum);
  const high = safe(maximum);
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  const parts = [
    low !== undefined && `${low} or more`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    high !== undefined && `${high} or less`,
    exclusiveMaximum !== undefined && `below ${exclusiveMaximum}`,
  ].filter(Boolean);
  return parts.length ? `, ${parts.join(', ')}` : '';
}
