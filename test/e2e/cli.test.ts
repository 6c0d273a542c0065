import { describe, expect, it } from 'vitest';
import { sceneshift, sceneshiftEach, startSceneshift } from '../support/cli.ts';

describe('the command line', () => {
  it('lists every command in --help, and each has a help of its own', async () => {
    const { stdout, status } = await startSceneshift(['--help']);
    expect(status).toBe(0);
    const names = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}\S/gm)].map((match) => match[1]);
    expect(names).toEqual(
      expect.arrayContaining([
        'run',
        'render',
        'mask',
        'dataset check',
        'scenarios',
        'score',
        'analyze',
        'compare',
        'models inspect',
        'check',
        'init',
        'doctor',
      ]),
    );
    const helps = await sceneshiftEach(names.map((name) => [...name.split(' '), '--help']));
    for (const [i, name] of names.entries()) {
      expect(helps[i], name).toMatchObject({ status: 0, stderr: '' });
      expect(helps[i].stdout).toContain(`Usage: sceneshift ${name}`);
    }
  });

  it('lists the commands that begin alike', async () => {
    for (const family of ['models', 'dataset']) {
      const help = await sceneshift([family, '--help']);
      expect(help).toMatchObject({ status: 0, stderr: '' });
      expect(help.stdout).toMatch(new RegExp(`^Usage: sceneshift ${family} COMMAND.*\n  ${family} \\w+ `, 's'));
    }
  });

  it('prints its version', async () => {
    expect((await startSceneshift(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('answers a slip with one line that says what to write', async () => {
    expect(await startSceneshift(['rnder'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^✗ Unknown command 'rnder'; did you mean 'render'\?.*\n$/),
    });
    expect(await startSceneshift(['render', '--scenrios', 'grey'])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^✗ Unknown option --scenrios.*did you mean --scenarios\?\n$/),
    });
    expect(await sceneshift(['render', '--threads', 'many'])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/a number for --threads but received 'many'\n$/),
    });
    expect(await sceneshift(['dataset'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'sceneshift dataset check'"),
    });
  });

  it('tells what the machine has', async () => {
    const { stdout, status } = await sceneshift(['doctor', '--json']);
    const parts = JSON.parse(stdout).findings.map(({ part }: { part: string }) => part);
    expect(status).toBe(0);
    expect(parts).toEqual(
      expect.arrayContaining(['Node', 'cores', 'memory', 'sharp', 'onnxruntime', 'duckdb', 'opencv-js']),
    );
  });
});
