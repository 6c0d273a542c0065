import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { ModelSettings } from '../../contracts/model-config.ts';
import type { Preprocessing } from '../../contracts/model-record.ts';
import type { ModelDescription } from '../define.ts';
import { guessLabels, loadLabels } from '../label-sets.ts';
import { type InputFacts, resolveRecord, type Statement } from '../record/resolve.ts';
import { splitCommand } from './argv.ts';
import { layOutMemory, openMemoryFile, type SharedMemory } from './memory.ts';
import { type Program, type ProgramOptions, startProgram } from './program.ts';
import type { Hello } from './protocol.ts';

export interface CommandDescription extends ModelDescription {
  readonly kind: 'command';
  readonly command: ProgramOptions & {
    readonly hello: Hello;
    readonly restarts: number;
    /** Where pictures are left for the program; undefined: they go through the pipe. */
    readonly memory: SharedMemory | undefined;
  };
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
  const { startSeconds = 300, answerSeconds = 300, restarts = 4, transport = 'auto' } = settings.command ?? {};
  const options = { argv, startSeconds, answerSeconds };
  const program = takeStarted(argv) ?? (await startProgram({ ...options, memoryFd: openMemoryFile() }));
  program.unref();
  started.set(argv.join('\0'), program);
  const { hello, memoryFd } = program;

  const said = settings.labels ?? hello.labels;
  const from = settings.labels ? 'the config' : "the program's hello";
  const labels = said ? loadLabels(said, from, '.') : guessLabels('classify', hello.outputs);
  if (labels && labels.names.length !== hello.outputs)
    throw new UserError(
      `${line} has ${hello.outputs} outputs, but its labels (${labels.from}) are ${labels.names.length}`,
    );
  const fits = hello.input === 'tensor' || hello.input === 'pixels';
  const tensor = fits ? preprocessingOf(hello, settings) : undefined;
  const batch = Math.min(hello.batch, Math.max(1, Math.floor(mostAnswerBytes / (4 * hello.outputs))));
  const useMemory = hello.memory && transport === 'auto' && memoryFd !== undefined && tensor;
  return {
    name: settings.name ?? hello.name ?? basename(argv.at(-1) ?? argv[0]).replace(/\.\w+$/, ''),
    kind: 'command',
    source: line,
    identity: {
      kind: 'command',
      command: argv,
      files: hashFiles(argv),
      hello: { ...hello, parallel: undefined, memory: undefined },
      ...(tensor && { preprocessing: tensor.preprocessing }),
    },
    labels: labels?.names,
    wnids: labels?.wnids,
    labelsFrom: labels?.from,
    labelMap: settings.labelMap,
    outputs: hello.kind,
    outputCount: hello.outputs,
    batch: Math.min(batch, settings.batch ?? batch),
    runsIn: 'main',
    looksAtPixels: true,
    preprocessing: tensor?.preprocessing,
    warnings: tensor?.warnings ?? [],
    command: {
      ...options,
      memoryFd,
      hello,
      restarts,
      memory: useMemory ? memoryFor(memoryFd, onTheWire(hello, tensor.preprocessing)) : undefined,
    },
  };
}

const mostAnswerBytes = 2 ** 28;
const bytesPer = { float32: 4, float16: 2, uint8: 1 };

/** Pictures of one size can be left in slots of that size. */
function memoryFor(fd: number, preprocessing: Preprocessing): SharedMemory | undefined {
  const { crop, resize, channels, type } = preprocessing;
  const size = crop ?? (resize && 'width' in resize && resize.fit === 'stretch' ? resize : undefined);
  return size && layOutMemory(fd, size.width * size.height * (channels === 'L' ? 1 : 3) * bytesPer[type]);
}

/** Pixels are normalised by the program; what travels are their 8 bits. */
export const onTheWire = ({ input }: Hello, preprocessing: Preprocessing): Preprocessing =>
  input === 'pixels' ? { ...preprocessing, type: 'uint8' } : preprocessing;

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
  const { preprocessing, warnings } = resolveRecord(own, facts, { config });
  if (hello.input === 'tensor') return { preprocessing, warnings };
  if (preprocessing.scale === 'max')
    throw new UserError(
      `"scale": "max" depends on the picture, so its numbers are made here: expected "input": "tensor" in the hello but received "pixels"`,
    );
  return { preprocessing: { ...preprocessing, layout: 'NHWC' }, warnings };
}

/** The program's own files (a script, weights named on its command line) decide its answers. */
function hashFiles(argv: readonly string[]): Record<string, string> {
  const files = argv.filter((word, i) => i > 0 && existsSync(word) && statSync(word).isFile());
  return Object.fromEntries(files.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]));
}
