import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type Config, configSchema } from '../../contracts/config.ts';
import { UserError } from '../../contracts/errors.ts';
import type { ModelConfig } from '../../contracts/model-config.ts';
import { type Assignment, assignmentSchema } from '../../contracts/queue.ts';
import { hashJson } from '../hash.ts';
import type { Plan } from '../plan.ts';

/** Settings that are files or folders. */
const pathSettings = ['data', 'masks', 'backgrounds', 'generated', 'out', 'diffusion'] as const;

/** Everything that is to be answered and all that decides the answers; two machines that see the same agree on it. */
export const planHash = ({ plannedSamples, conditions, wanted, dataHash }: Plan): string =>
  hashJson([dataHash, plannedSamples.map(({ sampleHash }) => sampleHash), conditions.map(({ hash }) => hash), wanted]);

export function makeAssignment(
  config: Config,
  plan: Plan,
  { root, out, version }: { root: string; out: string; version: string },
): Assignment {
  const below = (path: string, what: string) => {
    const inside = relative(root, resolve(path));
    if (inside.startsWith('..') || isAbsolute(inside))
      throw new UserError(`${what} ${path} is not below ${root}: workers see only what is; choose another --root`);
    return inside.split(sep).join('/') || '.';
  };
  const paths = Object.fromEntries(
    pathSettings.flatMap((name) => {
      const value = (config as Record<string, unknown>)[name];
      return typeof value === 'string' && name !== 'out' ? [[name, below(value, `--${name}`)]] : [];
    }),
  );
  const models = config.models.map((model) =>
    mapModelPath(model, (path) => (isAbsolute(path) ? below(path, 'the model') : path)),
  );
  const body = {
    config: { ...config, ...paths, models, out: undefined, plugins: undefined },
    planHash: planHash(plan),
    out: below(out, '--out'),
    sceneshift: version,
  };
  return assignmentSchema.parse({
    version: 1,
    id: hashJson(body),
    ...JSON.parse(JSON.stringify(body)),
    answers: plan.wanted.reduce((sum, conditions) => sum + conditions.length, 0),
  });
}

/** The settings of an assignment on this machine. Refuses what leads out of the root, also over links, and what would run code. */
export async function localConfig(assignment: Assignment, root: string): Promise<{ config: Config; out: string }> {
  const home = await realpath(resolve(root));
  const inside = async (path: string) => {
    const at = resolve(home, path);
    const real = await realpath(at).catch(() => at);
    for (const place of [at, real])
      if (place !== home && !place.startsWith(home + sep))
        throw new UserError(`The queue names ${path}, which is not below ${root}; refused`);
    return at;
  };
  const config = configSchema.parse(assignment.config);
  const local: Record<string, unknown> = { ...config };
  for (const name of pathSettings) {
    const value = local[name];
    if (typeof value === 'string') local[name] = await inside(value);
  }
  const paths = new Map<string, string>();
  for (const model of config.models) {
    const path = modelPath(model);
    if (/^(command|vlm|predictions):/.test(path))
      throw new UserError(
        `The queue names the model ${path.split(':')[0]}:…; workers take networks in files, never programs or addresses`,
      );
    const at = await inside(path);
    // What is no file here is a name on the hub.
    if (existsSync(at) || isAbsolute(path) || /\.onnx$/i.test(path)) paths.set(path, at);
  }
  local.models = config.models.map((model) => mapModelPath(model, (path) => paths.get(path) ?? path));
  if ((assignment.config as { plugins?: unknown }).plugins)
    throw new UserError('The queue names plugins; workers take data, never code');
  return { config: configSchema.parse(local), out: await inside(assignment.out) };
}

const modelPath = (model: ModelConfig) => (typeof model === 'string' ? model : model.model);
const mapModelPath = (model: ModelConfig, change: (path: string) => string): ModelConfig =>
  typeof model === 'string' ? change(model) : { ...model, model: change(model.model) };
