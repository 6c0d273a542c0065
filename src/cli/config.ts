import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../contracts/config.ts';
import { expected, UserError } from '../contracts/errors.ts';
import { loadPlugins } from '../run/plugins/load.ts';
import { parseConfig, pathsFrom } from '../run/settings.ts';

export const configFile = 'sceneshift.yaml';

/** Settings from the file (`--config`, else `sceneshift.yaml` here, else none) with the command line's on top. */
export async function loadConfig(path: string | undefined, given: Record<string, unknown>): Promise<Config> {
  const fromFile = await readConfig(path);
  const named = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && !(Array.isArray(value) && !value.length)),
  );
  if (Array.isArray(named.models)) named.models = named.models.map(absoluteModel);
  // What was typed is checked by itself: the file is not to blame for it.
  parseConfig(named, 'the command line');
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
    if (path !== undefined) throw expected('a file', '--config', path, 'write one with sceneshift init');
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
  // Paths in the file are relative to the file, not to where the command was typed.
  return pathsFrom(dirname(resolve(file)), (value ?? {}) as Record<string, unknown>);
}

/** A run can be repeated from any folder: files named on the command line are kept by their whole path. */
function absoluteModel(model: unknown): unknown {
  if (typeof model !== 'string') return model;
  const [, kind, file] = /^(predictions:)(.+)$/.exec(model) ?? [];
  if (kind) return `${kind}${resolve(file)}`;
  return existsSync(model) ? resolve(model) : model;
}
