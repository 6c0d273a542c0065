import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Config, configSchema } from '../contracts/config.ts';
import { expected, UserError } from '../contracts/errors.ts';
import { expectationOf } from '../contracts/issue-text.ts';
import { nearest } from '../contracts/nearest.ts';
import { loadPlugins } from '../run/plugins/load.ts';

export const configFile = 'sceneshift.yaml';

/** Settings from the file (`--config`, else `sceneshift.yaml` here, else none) with the command line's on top. */
export async function loadConfig(path: string | undefined, given: Record<string, unknown>): Promise<Config> {
  const fromFile = await readConfig(path);
  const named = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && !(Array.isArray(value) && !value.length)),
  );
  if (Array.isArray(named.models)) named.models = named.models.map(absoluteModel);
  const plugins = [...asList(fromFile?.plugins), ...asList(named.plugins)];
  const config = parseConfig(
    { ...fromFile, ...named, ...(plugins.length && { plugins }) },
    path ?? (fromFile ? configFile : 'the command line'),
  );
  await loadPlugins(config.plugins);
  return config;
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

async function readConfig(path: string | undefined): Promise<Record<string, unknown> | undefined> {
  const file = path ?? configFile;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) {
    if (path) throw expected('a file', '--config', path, 'write one with sceneshift init');
    return undefined;
  }
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    // Unknown tags (!!python) are Node's warnings otherwise, and the value is checked below in any case.
    value = parse(text, { logLevel: 'error' });
  } catch (error) {
    throw new UserError(`${file} is not valid YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  if (value !== null && (typeof value !== 'object' || Array.isArray(value)))
    throw expected('a list of fields', file, value);
  return fromFolderOf(file, (value ?? {}) as Record<string, unknown>);
}

const pathFields = ['data', 'masks', 'backgrounds', 'generated', 'out'];

/** Paths in the file are relative to the file, not to where the command was typed. */
function fromFolderOf(file: string, config: Record<string, unknown>): Record<string, unknown> {
  const folder = dirname(resolve(file));
  const settled = { ...config };
  for (const field of pathFields) {
    if (typeof settled[field] === 'string') settled[field] = resolve(folder, settled[field] as string);
  }
  const { diffusion } = settled as { diffusion?: { model?: unknown } };
  if (typeof diffusion?.model === 'string')
    settled.diffusion = { ...diffusion, model: resolve(folder, diffusion.model) };
  if (Array.isArray(settled.plugins))
    settled.plugins = settled.plugins.map((plugin) => (typeof plugin === 'string' ? resolve(folder, plugin) : plugin));
  if (Array.isArray(settled.models)) settled.models = settled.models.map((model) => fileFrom(folder, model));
  return settled;
}

function fileFrom(folder: string, model: unknown): unknown {
  if (typeof model === 'string') return /^\.{0,2}\/|\.onnx$/.test(model) ? resolve(folder, model) : model;
  if (model && typeof model === 'object' && 'model' in model) return { ...model, model: fileFrom(folder, model.model) };
  return model;
}

/** A run can be repeated from any folder: files named on the command line are kept by their whole path. */
function absoluteModel(model: unknown): unknown {
  if (typeof model !== 'string') return model;
  const [, kind, file] = /^(predictions:)(.+)$/.exec(model) ?? [];
  if (kind) return `${kind}${resolve(file)}`;
  return existsSync(model) ? resolve(model) : model;
}

export function parseConfig(value: unknown, where: string): Config {
  const result = configSchema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue.path.join('.') || 'the settings';
  if (issue.code === 'unrecognized_keys') {
    const near = nearest(issue.keys[0], Object.keys(configSchema.shape));
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

/** What the field is for, as its schema says. */
function hintFor(path: readonly PropertyKey[]): string | undefined {
  const field = configSchema.shape[String(path[0]) as keyof typeof configSchema.shape] as
    | { description?: string }
    | undefined;
  return field?.description && `it is ${field.description}`;
}
