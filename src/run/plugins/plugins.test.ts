import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { layouts } from '../../dataset/index.ts';
import { parseScenario } from '../../scenarios/name.ts';
import { scenarios } from '../../scenarios/registry.ts';
import { checkPlugin } from './check.ts';
import { codeOfScenario, pluginsRecord } from './identity.ts';
import { loadedPlugins, loadPlugins, loadSamePlugins, type Plugin } from './load.ts';

const scenarioText = (id: string, apply: string, more = '') => `{
  id: '${id}', family: 'colour', part: 'shift', title: 'Inverted', description: 'Every value is turned round.',
  object: 'changed', needs: [], params: {}, apply: ${apply}, ${more}
}`;
const invert = '({ image }) => ({ ...image, data: image.data.map((value) => 255 - value) })';

// What is registered here is not there for the tests of other files.
afterAll(() => vi.resetModules());

describe('plugins', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sceneshift-plugins-'));
    return () => rm(folder, { recursive: true, force: true });
  });

  async function write(name: string, text: string): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  }
  const load = async (name: string, text: string): Promise<Plugin> => {
    const file = await write(name, text);
    await loadPlugins([file]);
    return loadedPlugins().find((plugin) => plugin.file === file) as Plugin;
  };

  it('add scenarios and readers that are found by name, and are told by their hash', async () => {
    const plugin = await load(
      'good.mjs',
      `export const turned = ${scenarioText('turned', invert)};
       export const readers = [{ id: 'mine', title: 'Mine', looksLike: 'a folder', detect: () => 0, read: async () => ({ samples: [] }) }];
       export const helper = () => 1;`,
    );
    expect(parseScenario('turned').scenario).toBe(plugin.scenarios[0]);
    expect(scenarios.map(({ id }) => id)).toContain('turned');
    expect(layouts()).toContain('mine');
    expect(await checkPlugin(plugin)).toEqual([]);
    expect(plugin.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(codeOfScenario('turned')).toEqual({ code: plugin.hash });
    expect(codeOfScenario('grey')).toEqual({});
    expect(pluginsRecord().plugins).toContainEqual(expect.objectContaining({ file: plugin.file, hash: plugin.hash }));
    await loadPlugins([plugin.file]);
    expect(loadedPlugins()).toHaveLength(1);
  });

  it('that were changed after the main thread loaded them are refused in a worker', async () => {
    const [{ file }] = loadedPlugins();
    await expect(loadSamePlugins([{ file, hash: 'another' }])).rejects.toThrow(/was changed while it was in use/);
  });

  it.each([
    ['missing.mjs', undefined, /Cannot read the plugin .*missing\.mjs/],
    ['syntax.mjs', 'export const = 3;', /syntax\.mjs cannot be loaded: .*\S/],
    ['throws.mjs', "throw new Error('no such luck');", /cannot be loaded: Error: no such luck$/],
    ['empty.mjs', 'export const answer = 42;', /exports no scenario, reader or model kind/],
    ['strange.mjs', "export const it = { id: 'x' };", /exports 'it', which is neither a scenario, a reader nor/],
    [
      'taken.mjs',
      `export default ${scenarioText('grey', invert)};`,
      /no other scenario or preset .* received 'grey'; rename/,
    ],
    [
      'family.mjs',
      `export default ${scenarioText('odd', invert, "family: 'mood'")};`,
      /one of original, .* \(family\) .*'mood'/,
    ],
    ['bare.mjs', `export default ${scenarioText('odd', invert, 'params: { a: 3 }')};`, /a zod type with a default/],
    [
      'kind.mjs',
      "export default { id: 'kk', describes: ['kk'], open() {} };",
      /a text \(title\) for the model kind kk/,
    ],
  ])('%s is refused in one line', async (name, text, message) => {
    const error = await (text === undefined ? loadPlugins([join(folder, name)]) : load(name, text)).then(
      () => undefined,
      (cause: Error) => cause,
    );
    expect(error?.name).toBe('UserError');
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain('\n');
  });

  it('that do not keep what they promise are told so, one line for each', async () => {
    const plugin = await load(
      'wrong.mjs',
      `export const restless = ${scenarioText('restless', '({ image }) => ({ ...image, data: image.data.map(() => Math.floor(Math.random() * 256)) })')};
       export const greedy = { id: 'greedy', title: 'Greedy', looksLike: 'all', detect: () => 1, read: async () => ({ samples: [] }) };`,
    );
    const findings = await checkPlugin(plugin);
    expect(findings.map(({ name, problem }) => `${name}: ${problem}`)).toEqual([
      expect.stringMatching(/^restless: two calls give two pictures/),
      'greedy: detect answers 1, not 0',
    ]);
  });
});
