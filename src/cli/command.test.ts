import { describe, expect, it } from 'vitest';
import { commandHelp, defineCommand, runCommand } from './command.ts';
import { commands } from './commands.ts';

const seen: unknown[] = [];
const echo = defineCommand({
  name: 'echo',
  summary: 'Say it again.',
  args: ['WORD', '[MORE]'],
  options: {
    times: { type: 'number', describe: 'how often', default: 1 },
    tag: { type: 'string', value: 'TAG', multiple: true, describe: 'tags' },
    said: { type: 'string', value: 'TEXT', describe: 'before' },
    loud: { type: 'boolean', describe: 'in capitals' },
    voice: { type: 'string', choices: ['high', 'low'], describe: 'voice' },
  },
  async run(values, args) {
    seen.push({ ...values, args });
  },
});
const run = async (...argv: string[]) => {
  seen.length = 0;
  await runCommand(echo as never, argv);
  return seen[0];
};

describe('runCommand', () => {
  it('gives typed values and defaults', async () => {
    expect(await run('hey')).toMatchObject({ times: 1, tag: [], loud: false, voice: undefined, args: ['hey'] });
    expect(await run('hey', '--times', '3', '--tag', 'a', '--tag=b', '--loud')).toMatchObject({
      times: 3,
      tag: ['a', 'b'],
      loud: true,
    });
  });

  it('takes negative numbers as values', async () => {
    expect(await run('hey', '--times', '-2.5')).toMatchObject({ times: -2.5 });
  });

  it.each([
    [['hey', '--tmes', '3'], 'Unknown option --tmes'],
    [['hey', '--times', 'x'], "a number for --times but received 'x'"],
    [['hey', '--times'], 'a value for --times'],
    [['hey', '--times', ' '], "a number for --times but received ' '"],
    [['hey', '--tag', ''], "a value for --tag but received ''"],
    [['hey', '--voice', ''], 'one of high, low for --voice'],
    [[''], "a value for WORD but received ''"],
    [['hey', '--voice', 'middle'], 'one of high, low for --voice'],
    [['hey', '--loud=yes'], 'no value for --loud'],
    [[], 'Missing WORD'],
    [['a', 'b', 'c'], "Unexpected argument 'c'"],
  ])('refuses %j', async (argv, message) => {
    await expect(run(...argv)).rejects.toThrow(message);
  });

  it('takes no words for words', async () => {
    expect(await run('hey', '--said', '')).toMatchObject({ said: '' });
  });

  it('explains itself', () => {
    const help = commandHelp(echo as never);
    expect(help).toContain('Usage: sceneshift echo WORD [MORE] [options]');
    expect(help).toMatch(/--tag TAG +tags \(may be repeated\)/);
    expect(help).toMatch(/--times N +how often \(default 1\)/);
  });
});

describe('the help of every command', () => {
  it.each(Object.keys(commands))('%s says a default once', async (name) => {
    const { options } = await commands[name].load();
    for (const [key, { default: value, describe: text }] of Object.entries(options))
      if (value !== undefined && value !== false) expect(text, `--${key}`).not.toMatch(/\bdefault\b/);
  });
});
