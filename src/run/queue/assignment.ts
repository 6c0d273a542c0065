import { type Config, configSchema } from '../../contracts/config.ts';
import { UserError } from '../../contracts/errors.ts';
import type { ModelConfig } from '../../contracts/model-config.ts';
import { type Assignment, assignmentSchema, type SharedCommand } from '../../contracts/queue.ts';
import { hashJson } from '../hash.ts';
import type { Plan } from '../plan.ts';
import { modelBelowRoot, modelInsideRoot } from './model-paths.ts';
import { belowRoot, insideRoot } from './root.ts';

/** Settings that are files or folders. */
const pathSettings = ['data', 'masks', 'backgrounds', 'generated'] as const;

/** Everything that is to be answered and all that decides the answers; two machines that see the same agree on it. */
export const planHash = ({ plannedSamples, conditions, wanted, dataHash }: Plan): string =>
  hashJson([dataHash, plannedSamples.map(({ sampleHash }) => sampleHash), conditions.map(({ hash }) => hash), wanted]);

export interface AssignmentDetails {
  readonly command: SharedCommand;
  readonly root: string;
  readonly out: string;
  readonly version: string;
  /** Of a run. */
  readonly planHash?: string;
  /** What the command was told beside the settings. */
  readonly choices?: Record<string, unknown>;
  /** Of the choices, those that are files or folders. */
  readonly paths?: readonly string[];
}

export function makeAssignment(config: Config, details: AssignmentDetails): Assignment {
  const { command, root, out, version, choices, paths = [] } = details;
  const below = (path: string, what: string) => belowRoot(root, path, what);
  const settings: Record<string, unknown> = { ...config, out: undefined, plugins: undefined };
  for (const name of pathSettings) if (config[name] !== undefined) settings[name] = below(config[name], `--${name}`);
  if (config.diffusion?.model)
    settings.diffusion = { ...config.diffusion, model: below(config.diffusion.model, '--diffusion') };
  settings.models = config.models.map((model) => modelBelowRoot(model, root));
  const given = Object.entries(choices ?? {}).map(([name, value]) => [
    name,
    paths.includes(name) && typeof value === 'string' ? below(value, `--${name}`) : value,
  ]);
  const body = {
    command,
    config: settings,
    ...(choices && { choices: Object.fromEntries(given) }),
    planHash: details.planHash,
    out: below(out, '--out'),
    sceneshift: version,
  };
  return assignmentSchema.parse({ version: 1, id: hashJson(body), ...JSON.parse(JSON.stringify(body)) });
}

/** The settings of an assignment on this machine. Refuses what leads out of the root, also over links, and what would run code. */
export async function localConfig(assignment: Assignment, root: string): Promise<{ config: Config; out: string }> {
  const config = configSchema.parse(assignment.config);
  const local: Record<string, unknown> = { ...config };
  for (const name of pathSettings) if (config[name] !== undefined) local[name] = await insideRoot(root, config[name]);
  if (config.diffusion?.model)
    local.diffusion = { ...config.diffusion, model: await insideRoot(root, config.diffusion.model) };
  local.models = [];
  for (const model of config.models) (local.models as ModelConfig[]).push(await modelInsideRoot(model, root));
  if ((assignment.config as { plugins?: unknown }).plugins)
    throw new UserError('The queue names plugins; workers take data, never code');
  return { config: configSchema.parse(local), out: await insideRoot(root, assignment.out) };
}
