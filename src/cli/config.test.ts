import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../run/settings.ts';
import { loadConfig } from './config.ts';

describe('loadConfig', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'config-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const write = async (text: string) => {
    const file = join(folder, 'sceneshift.yaml');
    await writeFile(file, text);
    return file;
  };

  it('takes paths relative to the file, and lets the command line win', async () => {
    const file = await write(
      'data: photos\nmodels: [nets/a.onnx, org/name, { model: ./b.onnx, name: b }]\nseed: 3\nout: here\n',
    );
    const config = await loadConfig(file, { seed: 7, out: 'there', scenarios: [] });
    expect(config).toMatchObject({
      data: join(folder, 'photos'),
      models: [join(folder, 'nets/a.onnx'), 'org/name', { model: join(folder, 'b.onnx'), name: 'b' }],
      seed: 7,
      out: 'there',
      border: 'ignore',
      maxErrors: 0.1,
    });
    expect(config.scenarios).toBeUndefined();
  });

  it.each([
    ['sede: 3', "Unknown field 'sede' in .*; did you mean 'seed'\\?"],
    ['maxErrors: 3', 'for maxErrors in .* but received 3'],
    ['border: objekt', "for border in .* but received 'objekt'"],
    ['gates: [{ metric: drop }]', 'Expected min or max for gates.0'],
    ['- a list', 'Expected a list of fields'],
    ['data: [', 'is not valid YAML'],
  ])('answers %j with one line', async (text, message) => {
    const error = await loadConfig(await write(text), {}).catch((caught) => caught);
    expect(error.name).toBe('UserError');
    expect(error.message).toMatch(new RegExp(message));
    expect(error.message).not.toContain('\n');
  });

  it('does not blame the file for what was typed', async () => {
    const file = await write('limit: 3\n');
    await expect(loadConfig(file, { limit: 0 })).rejects.toThrow(/ for limit in the command line but received 0/);
  });

  it('says nothing of YAML tags but what is wrong with the value', async () => {
    const warned: unknown[] = [];
    const note = (warning: unknown) => void warned.push(warning);
    process.on('warning', note);
    const file = await write('data: !!python/object:os.system photos\nseed: !tagged 3\n');
    await expect(loadConfig(file, {})).rejects.toThrow(/^Expected a number for seed in /);
    // Warnings come with the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warned).toEqual([]);
  });

  it('names a file that is not there', async () => {
    await expect(loadConfig(join(folder, 'none.yaml'), {})).rejects.toThrow('write one with sceneshift init');
  });
});

describe('parseConfig', () => {
  it('fills in what is left out', () => {
    expect(parseConfig({}, 'x')).toMatchObject({ models: [], gates: [], seed: 0, decode: 'pillow' });
  });
  it.each([
    [{ limit: 0 }, /^Expected a number above 0 for limit in x\.yaml but received 0; limit: at most so many samples$/],
    [{ folds: 1 }, /^Expected a number of at least 2 for folds in x\.yaml but received 1; /],
    [{ seed: 1.5 }, /^Expected a whole number for seed in x\.yaml but received 1\.5/],
    [{ objects: 'all' }, /^Expected one of largest, class, each for objects in x\.yaml but received 'all'; /],
    [{ scenarios: 'quick' }, /^Expected a list for scenarios in x\.yaml but received 'quick'; /],
  ])('words what is wrong with %o', (value, line) => {
    expect(() => parseConfig(value, 'x.yaml')).toThrow(line);
  });
});
