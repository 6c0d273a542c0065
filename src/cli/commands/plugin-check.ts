import { resolve } from 'node:path';
import { exitCodes, UserError } from '../../contracts/errors.ts';
import { checkPlugin, type PluginFinding } from '../../run/plugins/check.ts';
import { loadedPlugins, loadPlugins } from '../../run/plugins/load.ts';
import { scenarioChecks } from '../../scenarios/suite/checks.ts';
import { defineCommand } from '../command.ts';
import { print } from '../ui/output.ts';

export const pluginCheck = defineCommand({
  name: 'plugin check',
  summary: 'Try a plugin: what it adds, and whether its scenarios keep what every scenario must.',
  args: ['FILE.mjs'],
  options: {},
  examples: ['sceneshift plugin check sepia.mjs'],
  async run({ json }, [given]) {
    const file = resolve(given);
    await loadPlugins([file]);
    const plugin = loadedPlugins().find((one) => one.file === file);
    if (!plugin) throw new UserError(`The plugin ${file} was not loaded`);
    const findings = await checkPlugin(plugin);
    const adds = {
      scenarios: plugin.scenarios.map(({ id }) => id),
      readers: plugin.readers.map(({ id }) => id),
      models: plugin.models.map(({ id }) => id),
    };
    print(json, { file, hash: plugin.hash, ...adds, findings }, () =>
      [
        ...Object.entries(adds).flatMap(([what, ids]) => (ids.length ? [`${what}: ${ids.join(', ')}`] : [])),
        ...lines(findings),
      ].join('\n'),
    );
    return findings.length ? exitCodes.failed : exitCodes.done;
  },
});

const lines = (findings: readonly PluginFinding[]): string[] =>
  findings.length
    ? findings.map(({ name, check, problem }) => `✗ ${name} · ${check}: ${problem}`)
    : [`✓ nothing found by ${scenarioChecks.length} checks of each scenario`];
