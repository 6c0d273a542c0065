import { type Config, configSchema } from '../contracts/config.ts';
import { expected, UserError } from '../contracts/errors.ts';
import { expectationOf, innermost } from '../contracts/issue-text.ts';
import { nearest } from '../contracts/nearest.ts';
import { isS3, resolvePlace } from '../storage/s3-url.ts';

const pathFields = ['data', 'masks', 'backgrounds', 'generated', 'out'];

/** Settings whose relative paths are meant from a folder, with whole paths. */
export function pathsFrom(folder: string, config: Record<string, unknown>): Record<string, unknown> {
  const settled = { ...config };
  for (const field of pathFields) {
    if (typeof settled[field] === 'string') settled[field] = resolvePlace(settled[field] as string, folder);
  }
  const { diffusion } = settled as { diffusion?: { model?: unknown } };
  if (typeof diffusion?.model === 'string')
    settled.diffusion = { ...diffusion, model: resolvePlace(diffusion.model, folder) };
  if (Array.isArray(settled.plugins))
    settled.plugins = settled.plugins.map((plugin) =>
      typeof plugin === 'string' ? resolvePlace(plugin, folder) : plugin,
    );
  if (Array.isArray(settled.models)) settled.models = settled.models.map((model) => fileFrom(folder, model));
  return settled;
}

function fileFrom(folder: string, model: unknown): unknown {
  if (typeof model === 'string')
    return !isS3(model) && /^\.{0,2}\/|\.onnx$/.test(model) ? resolvePlace(model, folder) : model;
  if (model && typeof model === 'object' && 'model' in model) return { ...model, model: fileFrom(folder, model.model) };
  return model;
}

export function parseConfig(value: unknown, where: string): Config {
  const result = configSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = innermost(result.error.issues[0]);
  const field = issue.path.join('.') || 'the settings';
  if (issue.code === 'unrecognized_keys') {
    const near = nearest(issue.keys[0], fieldsAt(issue.path));
    throw new UserError(
      `Unknown field '${[...issue.path, issue.keys[0]].join('.')}' in ${where}${near ? `; did you mean '${near}'?` : ''}`,
    );
  }
  const received = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  throw expected(expectationOf(issue), `${field} in ${where}`, received, hintFor(issue.path));
}

/** The names of the fields that may stand at a place. */
function fieldsAt(path: readonly PropertyKey[]): string[] {
  const places = path.reduce<SchemaNode[]>((at, key) => at.flatMap((schema) => inside(schema, key)), [configSchema]);
  return places.flatMap(plain).flatMap(({ shape }) => Object.keys(shape ?? {}));
}

/** As much of zod's schemas as it takes to walk them. */
interface SchemaNode {
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

/** What the field is for, as its schema says. */
function hintFor(path: readonly PropertyKey[]): string | undefined {
  const field = configSchema.shape[String(path[0]) as keyof typeof configSchema.shape] as
    | { description?: string }
    | undefined;
  return field?.description && `it is ${field.description}`;
}
