import { expected } from '../contracts/errors.ts';
import { isBeingWritten } from '../run/folder/index.ts';
import { inStagedFolder, withStagedFolder } from '../storage/in-staged-folder.ts';
import { fetchStoredModel } from '../storage/models.ts';
import { findObject } from '../storage/objects.ts';
import { below, isS3, parseS3 } from '../storage/s3-url.ts';

type Values = Record<string, unknown>;

/** What of a command is needed here (`command.ts`). */
interface Command {
  readonly name: string;
  readonly args?: readonly string[];
  readonly options: Readonly<Record<string, { readonly value?: string }>>;
  run(values: never, args: string[]): Promise<number | undefined> | Promise<void>;
}

/**
 * Runs a command whose runs or results lie on object storage: it works in copies on this disk. A dataset or a model is opened by
 * its address; `run` brings its results there itself, as they come.
 */
export async function runStaged(command: Command, values: Values, args: readonly string[]): Promise<number> {
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
    return next(/\.(csv|parquet)$/i.test(arg) && takesRuns(command) ? await fetchStoredModel(arg) : arg);
  };
  const { out } = values;
  if (command.name === 'run' || typeof out !== 'string' || !isS3(out)) return atPlace(args, values);
  if (/^FILE/.test(command.options.out?.value ?? '')) throw expected('a file on this disk', '--out', out);
  return inStagedFolder(out, ({ path }) => atPlace(args, { ...values, out: path }));
}

/** As its arguments are called. */
const takesRuns = ({ args = [] }: Command) => args.some((arg) => /RUN|PATH|^\[?[AB]\]?$/.test(arg));

const isRun = async (command: Command, url: string): Promise<boolean> =>
  takesRuns(command) && (await findObject(below(parseS3(url), 'run.json'))) !== undefined;
