import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { ModelSettings } from '../../contracts/model-config.ts';
import type { Preprocessing } from '../../contracts/model-record.ts';
import type { ModelDescription } from '../define.ts';
import { guessLabels, loadLabels } from '../label-sets.ts';
import { type InputFacts, resolveRecord, type Statement } from '../record/resolve.ts';
import { splitCommand } from './argv.ts';
import { type Program, type ProgramOptions, startProgram } from './program.ts';
import type { Hello } from './protocol.ts';

export interface CommandDescription extends ModelDescription {
  readonly kind: 'command';
  readonly command: ProgramOptions & { readonly hello: Hello; readonly restarts: number };
}

/** A program that was started to be described waits here for the run, so that weights are loaded once. */
const started = new Map<string, Program>();

export function takeStarted(argv: readonly string[]): Program | undefined {
  const key = argv.join('\0');
  const program = started.get(key);
  started.delete(key);
  return program?.alive ? program : undefined;
}

/** Starts the program once to hear what it is. */
export async function describeCommand(
  line: string,
  settings: Partial<ModelSettings> = {},
): Promise<CommandDescription> {
  const argv = splitCommand(line);
  const { startSeconds = 300, answerSeconds = 300, restarts = 4 } = settings.command ?? {};
  const options = { argv, startSeconds, answerSeconds };
  const program = takeStarted(argv) ?? (await startProgram(options));
  program.unref();
  started.set(argv.join('\0'), program);
  const { hello } = program;

  const said = settings.labels ?? hello.labels;
  const from = settings.labels ? 'the config' : "the program's hello";
  const labels = said ? loadLabels(said, from, '.') : guessLabels('classify', hello.outputs);
  const tensor = hello.input === 'tensor' ? preprocessingOf(hello, settings) : undefined;
  return {
    name: settings.name ?? hello.name ?? basename(argv.at(-1) ?? argv[0]).replace(/\.\w+$/, ''),
    kind: 'command',
    source: line,
    identity: {
      kind: 'command',
      command: argv,
      files: hashFiles(argv),
      hello,
      ...(tensor && { preprocessing: tensor.preprocessing }),
    },
    labels: labels?.names,
    wnids: labels?.wnids,
    labelsFrom: labels?.from,
    labelMap: settings.labelMap,
    outputs: hello.kind,
    outputCount: hello.outputs,
    batch: Math.min(hello.batch, settings.batch ?? hello.batch),
    runsIn: 'main',
    looksAtPixels: true,
    preprocessing: tensor?.preprocessing,
    warnings: tensor?.warnings ?? [],
    command: { ...options, hello, restarts },
  };
}

function preprocessingOf(
  hello: Hello,
  settings: Partial<ModelSettings>,
): { preprocessing: Preprocessing; warnings: readonly string[] } {
  const statement = (from: string, said: ModelSettings['preprocessing']): Statement[] =>
    said === undefined ? [] : [{ from, record: typeof said === 'string' ? { preprocessing: said } : said }];
  const own = statement("the program's hello", hello.preprocessing);
  const [config] = statement('the config', settings.preprocessing);
  const stated = own[0]?.record.input;
  const facts: InputFacts = {
    name: 'picture',
    type: stated?.type ?? 'float32',
    layout: undefined,
    channels: 0,
    width: 0,
    height: 0,
  };
  return resolveRecord(own, facts, { config });
}

/** The program's own files (a script, weights named on its command line) decide its answers. */
function hashFiles(argv: readonly string[]): Record<string, string> {
  const files = argv.filter((word, i) => i > 0 && existsSync(word) && statSync(word).isFile());
  return Object.fromEntries(files.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]));
}
