import { parseArgs } from 'node:util';
import { expected, UserError } from '../contracts/errors.ts';
import { nearest } from '../contracts/nearest.ts';
import { isS3 } from '../storage/s3-url.ts';

export interface Option {
  readonly type: 'string' | 'number' | 'boolean';
  readonly describe: string;
  /** What stands for the value in the help: `--sigma PX`. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
}

type Single<O extends Option> = O['type'] extends 'number' ? number : O['type'] extends 'boolean' ? boolean : string;
type Value<O extends Option> = O['multiple'] extends true
  ? Single<O>[]
  : O['type'] extends 'boolean'
    ? boolean
    : O extends { default: unknown }
      ? Single<O>
      : Single<O> | undefined;
export type Values<S extends Record<string, Option>> = { [K in keyof S]: Value<S[K]> } & {
  json: boolean;
  debug: boolean;
  plugin: string[];
};

export interface Command<S extends Record<string, Option> = Record<string, Option>> {
  readonly name: string;
  readonly summary: string;
  /** Positional arguments, as shown: `DATA`, `[RUN]`, `FILE…`. */
  readonly args?: readonly string[];
  readonly options: S;
  readonly examples?: readonly string[];
  run(values: Values<S>, args: string[]): Promise<number | undefined> | Promise<void>;
}

export const defineCommand = <const S extends Record<string, Option>>(command: Command<S>): Command<S> => command;

const common = {
  json: { type: 'boolean', describe: 'print the result as JSON on standard output, and nothing else there' },
  plugin: {
    type: 'string',
    value: 'FILE.mjs',
    multiple: true,
    describe: 'a module with scenarios, layouts or model kinds of your own',
  },
  debug: { type: 'boolean', describe: 'show stack traces' },
  help: { type: 'boolean', describe: 'show this help' },
} as const satisfies Record<string, Option>;

/** Parses and runs one command; returns the exit status. */
export async function runCommand(command: Command, argv: string[]): Promise<number> {
  const options: Record<string, Option> = { ...command.options, ...common };
  const { values, positionals } = parse(command.name, options, argv);
  if (values.help) {
    process.stdout.write(`${commandHelp(command)}\n`);
    return 0;
  }
  checkArgs(command, positionals);
  const plugins = values.plugin as string[];
  if (plugins.length) await (await import('../run/plugins/load.ts')).loadPlugins(plugins);
  if ([...positionals, ...Object.values(values).flat()].some((place) => typeof place === 'string' && isS3(place)))
    return (await import('./staged.ts')).runStaged(command, values, positionals);
  return (await command.run(values as never, positionals)) ?? 0;
}

function parse(name: string, options: Record<string, Option>, argv: string[]) {
  const parsed = parseArgs({
    args: joinNegative(argv, options),
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([key, option]) => [
        key,
        {
          type: option.type === 'boolean' ? 'boolean' : 'string',
          multiple: true,
          ...(key === 'help' && { short: 'h' }),
        },
      ]),
    ),
  });
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    const option = options[token.name];
    if (!option) {
      const near = nearest(token.name, Object.keys(options));
      throw new UserError(
        `Unknown option ${token.rawName} for 'sceneshift ${name}'${near ? `; did you mean --${near}?` : `; see sceneshift ${name} --help`}`,
      );
    }
    if (option.type === 'boolean' && token.value !== undefined) throw expected('no value', token.rawName, token.value);
    if (option.type !== 'boolean' && token.value === undefined) throw expected('a value', token.rawName, undefined);
    // `--config "$UNSET"`: taken for nothing, or for the folder one is in. Words may be none.
    if (option.type === 'string' && !option.choices && option.value !== 'TEXT' && !token.value?.trim())
      throw expected('a value', token.rawName, token.value);
  }
  const values: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) {
    const given = (parsed.values[key] as (string | boolean)[] | undefined)?.map((raw) => convert(key, option, raw));
    values[key] = option.multiple
      ? (given ?? [])
      : (given?.at(-1) ?? option.default ?? (option.type === 'boolean' ? false : undefined));
  }
  return { values, positionals: parsed.positionals };
}

// `--threshold -0.5`: parseArgs takes a value that starts with a dash only in the form `--threshold=-0.5`.
function joinNegative(argv: string[], options: Record<string, Option>): string[] {
  const joined: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const option = argv[i].startsWith('--') ? options[argv[i].slice(2)] : undefined;
    if (option && option.type !== 'boolean' && /^-[\d.]/.test(argv[i + 1] ?? ''))
      joined.push(`${argv[i]}=${argv[++i]}`);
    else joined.push(argv[i]);
  }
  return joined;
}

function convert(key: string, option: Option, raw: string | boolean): string | number | boolean {
  if (option.choices && !option.choices.includes(String(raw)))
    throw expected(`one of ${option.choices.join(', ')}`, `--${key}`, raw);
  if (option.type !== 'number') return raw;
  const number = Number(raw);
  if (!String(raw).trim() || !Number.isFinite(number)) throw expected('a number', `--${key}`, raw);
  return number;
}

function checkArgs(command: Command, given: string[]) {
  const declared = command.args ?? [];
  const required = declared.filter((arg) => !arg.startsWith('['));
  if (given.length < required.length) {
    throw new UserError(`Missing ${required[given.length]}; write sceneshift ${command.name} ${declared.join(' ')}`);
  }
  const empty = given.findIndex((arg) => !arg.trim());
  if (empty >= 0) throw expected('a value', declared[empty] ?? declared.at(-1) ?? 'an argument', given[empty]);
  const open = declared.some((arg) => arg.includes('…'));
  if (!open && given.length > declared.length) {
    throw new UserError(
      `Unexpected argument '${given[declared.length]}' for 'sceneshift ${command.name}'; see sceneshift ${command.name} --help`,
    );
  }
}

export function commandHelp(command: Command): string {
  const usage = `sceneshift ${command.name}${(command.args ?? []).map((arg) => ` ${arg}`).join('')} [options]`;
  const rows = Object.entries({ ...command.options, ...common }).map(([key, option]: [string, Option]) => {
    const value =
      option.type === 'boolean'
        ? ''
        : ` ${option.value ?? option.choices?.join('|') ?? (option.type === 'number' ? 'N' : 'TEXT')}`;
    const notes = [
      option.multiple && 'may be repeated',
      option.default !== undefined && option.default !== false && `default ${option.default}`,
    ].filter(Boolean);
    return [`  --${key}${value}`, `${option.describe}${notes.length ? ` (${notes.join('; ')})` : ''}`];
  });
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)) + 2);
  const lines = rows.map(([left, right]) =>
    left.length < width ? left.padEnd(width) + right : `${left}\n${' '.repeat(width)}${right}`,
  );
  const examples = command.examples?.length
    ? ['', 'Examples:', ...command.examples.map((example) => `  ${example}`)]
    : [];
  return [command.summary, '', `Usage: ${usage}`, '', 'Options:', ...lines, ...examples].join('\n');
}
