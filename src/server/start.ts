import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { UserError } from '../contracts/errors.ts';
import type { ModelConfig } from '../contracts/model-config.ts';
import { type StartOptions, startSchema } from '../contracts/studio/start.ts';
import { readRunRecord, recordedConfig } from '../run/folder/index.ts';
import { families } from '../scenarios/define.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import { presets } from '../scenarios/presets.ts';
import type { ReadingOptions } from './annotate/annotated-dataset.ts';
import { notFound, refused } from './errors.ts';
import { scenarioFields } from './scenario-fields.ts';
import type { Started, Tools } from './tools.ts';
import type { Workspace } from './workspace.ts';

interface OwnRun {
  readonly started: Started;
  running: boolean;
  message: string | null;
}

export interface RunStarter {
  readonly routes: Hono;
  get(folder: string): { readonly running: boolean; readonly message: string | null } | undefined;
  close(): Promise<void>;
}

const idOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

/** Starts, stops and continues runs in processes of their own, with the same command that a terminal would use. */
export function createRunStarter(
  workspace: Workspace,
  tools: Tools,
  given: { models: readonly string[]; reading?: ReadingOptions },
): RunStarter {
  const own = new Map<string, OwnRun>();

  const configs = async () => {
    const records = await Promise.all(
      (await workspace.runs()).map(({ path }) => readRunRecord(path).catch(() => undefined)),
    );
    return records.flatMap((record) => {
      const config = record && recordedConfig(record);
      return config ? [config] : [];
    });
  };
  /** Models and folders that the user named, here or in a run; a page can only choose among them. */
  const known = async () => {
    const all = await configs();
    const models = new Map<string, ModelConfig>();
    const named = all.flatMap((config) => config.models.filter((spec) => !isProgram(spec)));
    for (const spec of [...given.models, ...named]) models.set(idOf(spec), spec);
    const backgrounds = new Map<string, string>();
    for (const { backgrounds: folder } of all) if (folder) backgrounds.set(idOf(folder), folder);
    return { models, backgrounds };
  };

  const launch = (folder: string, args: readonly string[], cleanUp: () => Promise<void>) => {
    const run: OwnRun = {
      running: true,
      message: null,
      started: tools.start(args, (line) => {
        run.message = line.slice(0, 300);
      }),
    };
    own.set(folder, run);
    void run.started.ended.then(async () => {
      run.running = false;
      await cleanUp();
    });
  };
  const launchConfig = async (folder: string, config: unknown) => {
    const scratch = await mkdtemp(join(tmpdir(), 'sceneshift-start-'));
    const file = join(scratch, 'sceneshift.yaml');
    // JSON is YAML.
    await writeFile(file, JSON.stringify(config));
    launch(folder, ['run', '--config', file, '--out', folder], () => rm(scratch, { recursive: true, force: true }));
  };
  const ownRun = async (id: string) => {
    const place = await workspace.run(id);
    return { place, run: own.get(place.path) };
  };

  const routes = new Hono()
    .get('/start', async (c) => {
      const { models, backgrounds } = await known();
      const options: StartOptions = {
        datasets: (await workspace.datasets()).map(({ id, name }) => ({ id, name })),
        models: [...models].map(([id, spec]) => ({
          id,
          name: typeof spec === 'string' ? spec : (spec.name ?? spec.model),
          short: shortName(spec),
        })),
        backgrounds: [...backgrounds].map(([id, name]) => ({ id, name })),
        families,
        scenarios: scenarioFields(),
        presets: Object.entries(presets).map(([id, { title, scenarios }]) => ({ id, title, scenarios })),
      };
      return c.json(options);
    })
    .post('/start', async (c) => {
      const asked = startSchema.parse(await c.req.json());
      const { models, backgrounds } = await known();
      const data = (await workspace.dataset(asked.dataset)).path;
      const chosen = asked.models.map((id) => models.get(id) ?? fail(`There is no model '${id}' here`));
      const scenarios = parseScenarioList(asked.scenarios, { field: 'scenarios' }).map(({ name }) => name);
      const folder = join(workspace.runsFolder, asked.name);
      if (existsSync(folder))
        throw new UserError(`There is a folder ${asked.name} already; choose another name, or continue that run`);
      const background =
        asked.backgrounds &&
        (backgrounds.get(asked.backgrounds) ?? fail(`There is no folder of backgrounds '${asked.backgrounds}' here`));
      await launchConfig(folder, {
        data,
        // `--masks`, `--layout` and `--label-from` of the studio say how the dataset given is read, here as elsewhere.
        ...(workspace.isGiven(data) && given.reading),
        models: chosen,
        scenarios,
        seed: asked.seed,
        ...(asked.limit && { limit: asked.limit }),
        ...(background && { backgrounds: background }),
      });
      return c.json({ name: asked.name });
    })
    .post('/runs/:run/stop', async (c) => {
      const { run } = await ownRun(c.req.param('run'));
      if (!run?.running) throw refused('This run was not started here: stop it with Ctrl+C where it was');
      run.started.stop();
      return c.json({ stopping: true });
    })
    .post('/runs/:run/continue', async (c) => {
      const { place, run } = await ownRun(c.req.param('run'));
      if (run?.running) throw new UserError('The run is under way already');
      const { config } = await readRunRecord(place.path);
      if (!config) throw new UserError('The run does not say with what settings it was made');
      refuseCode(config, given.models);
      await launchConfig(place.path, config);
      return c.json({ continuing: true });
    })
    /** What runs started here say before their folder has a record. */
    .get('/starting', async (c) => {
      const waiting = [...own].filter(([folder]) => !existsSync(join(folder, 'run.json')));
      return c.json(
        waiting.map(([folder, { running, message }]) => ({
          name: folder.slice(workspace.runsFolder.length + 1),
          running,
          message,
        })),
      );
    });

  return {
    routes,
    get: (folder) => own.get(folder),
    async close() {
      for (const run of own.values()) if (run.running) run.started.stop();
      await Promise.all([...own.values()].map(({ started }) => started.ended));
    },
  };
}

const shortName = (spec: ModelConfig) =>
  typeof spec === 'object' && spec.name ? spec.name : modelText(spec).replace(/^.*[/\\]|\.onnx$/gi, '');
const modelText = (spec: ModelConfig) => (typeof spec === 'string' ? spec : spec.model);
const isProgram = (spec: ModelConfig) => modelText(spec).startsWith('command:');

/** A run folder is data, wherever it came from: programs and plugins that it alone names are not started by a click. */
function refuseCode(config: Readonly<Record<string, unknown>>, given: readonly string[]): void {
  const models = Array.isArray(config.models) ? (config.models as ModelConfig[]) : [];
  const program = models.find((spec) => isProgram(spec) && !given.includes(modelText(spec)));
  const plugins = Array.isArray(config.plugins) && config.plugins.length > 0;
  if (program || plugins)
    throw refused(
      `The run's record names ${program ? 'a program' : 'plugins'} to run; continue it in a terminal${program ? ', or start the studio with --model and that program' : ''}`,
    );
}

function fail(message: string): never {
  throw notFound(message);
}
