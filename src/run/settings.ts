import { type Config, configSchema } from '../contracts/config.ts';
import { expected, UserError } from '../contracts/errors.ts';
import { expectationOf, foremost } from '../contracts/issue-text.ts';
import { nearest } from '../contracts/nearest.ts';
import { isS3, resolvePlace } from '../storage/s3-url.ts';

const pathFields = ['data', 'masks', 'backgrounds', 'generated', 'out'];

/** Settings whose relative paths are meant from a folder, with whole paths. */
export function pathsFrom(folder: string, config: Record<string, unknown>): Record<string, unknown> {
  const settled = { ...config };
  for (const field of pathFields) {
    if (field in settled) settled[field] = placeFrom(folder, settled[field]);
  }
  const { diffusion } = settled as { diffusion?: { model?: unknown } };
  if (diffusion?.model) settled.diffusion = { ...diffusion, model: placeFrom(folder, diffusion.model) };
  if (Array.isArray(settled.plugins)) settled.plugins = settled.plugins.map((plugin) => placeFrom(folder, plugin));
  if (Array.isArray(settled.models)) settled.models = settled.models.map((model) => fileFrom(folder, model));
  return settled;
}

/** What is no path, or an empty one, is left for the schema to refuse. */
const placeFrom = (folder: string, place: unknown): unknown =>
  typeof place === 'string' && place.trim() ? resolvePlace(place, folder) : place;

function fileFrom(folder: string, model: unknown): unknown {
  if (typeof model === 'string')
    return !isS3(model) && /^\.{0,2}\/|\.onnx$/.test(model) ? resolvePlace(model, folder) : model;
  if (model && typeof model === 'object' && 'model' in model) return { ...model, model: fileFrom(folder, model.model) };
  return model;
}

export function parseConfig(value: unknown, where: string): Config {
  const result = configSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = foremost(result.error.issues);
  const field = issue.path.join('.') || 'the settings';
  if (issue.code === 'unrecognized_keys') {
    const [unknown] = issue.keys;
    const known = [...new Set(fieldsAt(issue.path))].filter((name) => name !== unknown);
    const near = nearest(unknown, known);
    const hint = near ? `; did you mean '${near}'?` : issue.path.length ? `; there may be ${known.join(', ')}` : '';
    throw new UserError(`Unknown field '${[...issue.path, unknown].join('.')}' in ${where}${hint}`);
  }
  const received = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  throw expected(expectationOf(issue), `${field} in ${where}`, received, hintFor(issue.path));
}

/** The names of the fields that may stand at a place. */
const fieldsAt = (path: readonly PropertyKey[]): string[] =>
  placesAt(path)
    .flatMap(plain)
    .flatMap(({ shape }) => Object.keys(shape ?? {}));

const placesAt = (path: readonly PropertyKey[]): SchemaNode[] =>
  path.reduce<SchemaNode[]>((at, key) => at.flatMap((schema) => inside(schema, key)), [configSchema]);

/** As much of zod's schemas as it takes to walk them. */
interface SchemaNode {
  readonly description?: string;
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly options?: readonly unknown[];
  readonly element?: unknown;
  readonly valueType?: unknown;
  readonly def?: { readonly type: string; readonly innerType?: unknown };
}

/** Without "optional" and the like, and each of several kinds. */
function plain(schema: SchemaNode): SchemaNode[] {
  if (schema.def?.innerType) return plain(schema.def.innerType as SchemaNode);
  return Array.isArray(schema.options) ? schema.options.flatMap(plain) : [schema];
}

function inside(schema: SchemaNode, key: PropertyKey): SchemaNode[] {
  const found = plain(schema).map((one) => one.shape?.[String(key)] ?? one.element ?? one.valueType);
  return found.filter((one) => one !== undefined) as SchemaNode[];
}

/** What the field is for, as its schema says, or that of the field that it stands in. */
function hintFor(path: readonly PropertyKey[]): string | undefined {
  if (!path.length) return undefined;
  const described = placesAt(path).find(({ description }) => description)?.description;
  return described ? `${path.join('.')}: ${described}` : hintFor(path.slice(0, -1));
}
