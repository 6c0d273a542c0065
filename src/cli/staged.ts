import { expected } from '../contracts/errors.ts';
import { isBeingWritten } from '../run/folder/index.ts';
import { inStagedFolder, withStagedFolder } from '../storage/in-staged-folder.ts';
import { fetchStoredModel } from '../storage/models.ts';
import { existsThere, findObject } from '../storage/objects.ts';
import { below, isS3, parseS3 } from '../storage/s3-url.ts';

type Values = Record<string, unknown>;

/** What of a command is needed here (`command.ts`). */
interface Command {
  readonly name: string;
  readonly args?: readonly string[];
  readonly options: Readonly<Record<string, { readonly value?: string }>>;
  run(values: never, args: string[]): Promise<number | undefined> | Promise<void>;
}

/** Options whose addresses the command opens itself, or which tell workers where things are. */
const opened = new Set([
  ...['data', 'masks', 'backgrounds', 'generated', 'model', 'backbone', 'diffusion'],
  ...['grid', 'sheet', 'image', 'keep', 'root', 'out', 'prompt', 'negative'],
]);
/** Options that are read, and fetched first: a file with what stands beside it, or a whole folder. */
const fetched = new Set(['clip', 'factors', 'votes', 'salient', 'mask-model', 'config', 'workflow']);

/** Commands that pair files of several folders by their paths. */
const onThisDisk = new Set(['mask', 'quality']);

/** A command's options with what is on the storage brought here; refuses addresses where only this disk will do. */
async function fetchOptions({ name }: Command, values: Values): Promise<Values> {
  const ready: Values = { ...values };
  for (const [option, value] of Object.entries(values)) {
    const places = [value].flat().filter((place) => typeof place === 'string' && isS3(place)) as string[];
    if (!places.length || (opened.has(option) && !(name === 'studio' && option === 'masks'))) continue;
    if (!fetched.has(option)) throw expected('a file or folder on this disk', `--${option}`, places[0]);
    const local = new Map<unknown, string>();
    for (const place of places) local.set(place, await fetchStoredModel(place));
    ready[option] = Array.isArray(value) ? value.map((one) => local.get(one) ?? one) : local.get(value);
  }
  return ready;
}

/**
 * Runs a command whose runs or results lie on object storage: it works in copies on this disk. A dataset or a model is opened by
 * its address; `run` brings its results there itself, as they come.
 */
export async function runStaged(command: Command, values: Values, args: readonly string[]): Promise<number> {
  const far = [...args, values.out].find((place) => typeof place === 'string' && isS3(place));
  if (far !== undefined && onThisDisk.has(command.name))
    throw expected(
      'a folder on this disk',
      `sceneshift ${command.name}`,
      far,
      'fetch it first, for instance with aws s3 sync',
    );
  const ready: string[] = [];
  const atPlace = async (left: readonly string[], given: Values): Promise<number> => {
    const [arg, ...rest] = left;
    if (arg === undefined) return (await command.run(given as never, ready)) ?? 0;
    const next = (path: string) => {
      ready.push(path);
      return atPlace(rest, given);
    };
    if (!isS3(arg)) return next(arg);
    if (await isRun(command, arg)) return withStagedFolder(arg, ({ path }) => next(path), { isBusy: isBeingWritten });
    const argument = command.args?.join(' ') ?? '';
    if (command.name === 'studio') throw expected('a run, or a dataset on this disk', argument, arg);
    if (/\.(csv|parquet)$/i.test(arg) && takesRuns(command)) return next(await fetchStoredModel(arg));
    if (takesRuns(command)) throw expected('a run, or a table', argument, arg, 'there is no run.json');
    return next(arg);
  };
  const { out } = values;
  if (typeof out === 'string' && isS3(out) && /^FILE/.test(command.options.out?.value ?? ''))
    throw expected('a file on this disk', '--out', out);
  const given = await fetchOptions(command, values);
  if (command.name === 'run' || typeof out !== 'string' || !isS3(out)) return atPlace(args, given);
  return inStagedFolder(out, ({ path }) => atPlace(args, { ...given, out: path }));
}

/** As its arguments are called. */
const takesRuns = ({ args = [] }: Command) => args.some((arg) => /RUN|PATH|^\[?[AB]\]?$/.test(arg));

/** Shares of `render` and others, which `merge` joins, have no `run.json`. */
const isRun = async (command: Command, url: string): Promise<boolean> =>
  takesRuns(command) &&
  (command.name === 'merge' ? existsThere(url) : (await findObject(below(parseS3(url), 'run.json'))) !== undefined);
