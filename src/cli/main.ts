import '../formats/no-telemetry.ts';
import { exitCodes, UserError } from '../contracts/errors.ts';
import { nearest } from '../contracts/nearest.ts';
import { terminalText } from '../formats/escape.ts';
import { withAddresses } from '../storage/shown.ts';
import { runCommand } from './command.ts';
import { commands } from './commands.ts';
import { leaveNothingRunning } from './leave.ts';
import { systemErrorText } from './system-error.ts';
import { version } from './version.ts';

function help(): string {
  const names = Object.keys(commands);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return [
    'Does your vision model recognise the object, or the scene around it?',
    '',
    'Usage: sceneshift COMMAND [options]',
    '',
    'Commands:',
    ...names.map((name) => `  ${name.padEnd(width)}${commands[name].summary}`),
    '',
    'sceneshift COMMAND --help tells more; --version prints the version.',
  ].join('\n');
}

/** Two-word commands (`dataset check`) are tried before one-word ones. */
function findCommand(argv: string[]): { name: string; rest: string[] } {
  const two = argv.slice(0, 2).join(' ');
  if (commands[two]) return { name: two, rest: argv.slice(2) };
  if (commands[argv[0]]) return { name: argv[0], rest: argv.slice(1) };
  const family = Object.keys(commands).filter((name) => name.startsWith(`${argv[0]} `));
  if (family.length)
    throw new UserError(
      `Unknown command '${two}'; there is ${family.map((name) => `'sceneshift ${name}'`).join(', ')}`,
    );
  const near = nearest(argv[0], Object.keys(commands));
  throw new UserError(`Unknown command '${argv[0]}'${near ? `; did you mean '${near}'?` : ''} See sceneshift --help`);
}

/** `sceneshift models --help`: the commands that begin so. */
function familyHelp(argv: string[]): string | undefined {
  if (commands[argv[0]] || !['--help', '-h', 'help'].includes(argv[1])) return undefined;
  const family = Object.keys(commands).filter((name) => name.startsWith(`${argv[0]} `));
  if (!family.length) return undefined;
  const width = Math.max(...family.map((name) => name.length)) + 2;
  return [
    `Usage: sceneshift ${argv[0]} COMMAND [options]`,
    '',
    ...family.map((name) => `  ${name.padEnd(width)}${commands[name].summary}`),
    '',
    `sceneshift ${family[0]} --help tells more.`,
  ].join('\n');
}

async function main(argv: string[]): Promise<number> {
  if (argv.length === 0 || argv[0] === '--help' || argv[0] === '-h' || argv[0] === 'help') {
    process.stdout.write(`${help()}\n`);
    return exitCodes.done;
  }
  if (argv[0] === '--version' || argv[0] === '-v') {
    process.stdout.write(`${version()}\n`);
    return exitCodes.done;
  }
  const family = familyHelp(argv);
  if (family) {
    process.stdout.write(`${family}\n`);
    return exitCodes.done;
  }
  const { name, rest } = findCommand(argv);
  return runCommand(await commands[name].load(), rest);
}

// A reader that closes the pipe early (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  throw error;
});

const argv = process.argv.slice(2);
if (process.env.SCENESHIFT_JOURNAL) (await import('./supervised.ts')).obeyParent();
try {
  process.exitCode = await main(argv);
} catch (error) {
  const said = systemErrorText(error);
  const debug = argv.includes('--debug');
  const known = error instanceof UserError || said !== undefined;
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: String(error) };
  const text = debug ? stack : `${said ?? message}${known ? '' : ' (--debug shows where)'}`;
  process.stderr.write(terminalText(withAddresses(`✗ ${text}\n`)));
  process.exitCode = error instanceof UserError ? error.exitCode : exitCodes.failed;
}
leaveNothingRunning();
