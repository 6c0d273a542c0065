import { join } from 'node:path';
import type { Gate } from '../../contracts/config.ts';
import { exitCodes, UserError } from '../../contracts/errors.ts';
import { replaceFile } from '../../formats/replace-file.ts';
import { evaluateGates, type GateResult } from '../../metrics/gates.ts';
import { gateRows, scoreRun } from '../../metrics/score-run.ts';
import { gatesJunit } from '../../report/gates-junit.ts';
import { gatesMarkdown } from '../../report/gates-markdown.ts';
import { readRunRecord } from '../../run/folder/index.ts';
import { parseConfig } from '../../run/settings.ts';
import { defineCommand } from '../command.ts';
import { loadConfig } from '../config.ts';
import { print } from '../ui/output.ts';

export const check = defineCommand({
  name: 'check',
  summary: 'Hold a run to the limits in its settings; status 100 where one does not hold.',
  args: ['RUN'],
  options: {
    config: { type: 'string', value: 'FILE', describe: 'take the gates from here, not from the settings of the run' },
    junit: { type: 'string', value: 'FILE', describe: 'write JUnit XML' },
    markdown: { type: 'string', value: 'FILE', describe: 'write a Markdown table' },
  },
  examples: ['sceneshift check runs/first --junit gates.xml --markdown gates.md'],
  async run({ config, junit, markdown, json }, [folder]) {
    const gates = config ? (await loadConfig(config, {})).gates : await gatesOf(folder);
    if (!gates.length) {
      throw new UserError(
        `No gates in ${config ?? join(folder, 'run.json')}; write some under 'gates' (docs/ci-gates.md) and give --config`,
      );
    }
    const score = await scoreRun(folder, { byClass: gates.some((gate) => gate.class) });
    const results = evaluateGates(gates, score, gateRows(score));
    if (junit) await replaceFile(junit, gatesJunit(results));
    if (markdown) await replaceFile(markdown, gatesMarkdown(results));
    const failed = results.filter((result) => !result.passed);
    const { alarms = [] } = score;
    print(json, { passed: failed.length === 0, gates: results, alarms }, () =>
      [...alarms.map(({ words }) => `‼ ${words}`), text(results, failed.length)].join('\n'),
    );
    return failed.length ? exitCodes.gate : exitCodes.done;
  },
});

async function gatesOf(folder: string): Promise<Gate[]> {
  const { config } = await readRunRecord(folder);
  return parseConfig({ gates: config?.gates ?? [] }, join(folder, 'run.json')).gates;
}

function text(results: readonly GateResult[], failed: number): string {
  const lines = results.map(({ passed, message }) => `${passed ? '✓' : '✗'} ${message}`);
  return [...lines, failed ? `${failed} of ${results.length} gates failed` : `All ${results.length} gates hold`].join(
    '\n',
  );
}
