import { families } from '../define.ts';
import { describeParams } from '../params.ts';
import { presets } from '../presets.ts';
import { type Scenario, scenarios } from '../registry.ts';

/** The documentation's tables of scenarios and presets, from the declarations. */
function scenarioTables(): string {
  const groups = [...new Set(scenarios.map(({ family }) => family))].map((family) =>
    [
      `### ${families[family] ?? family}`,
      '',
      '| scenario | what it does | part | object | needs | settings and defaults |',
      '| --- | --- | --- | --- | --- | --- |',
      ...scenarios.filter((scenario) => scenario.family === family).map(row),
      '',
    ].join('\n'),
  );
  return groups.join('\n');
}

function presetTable(): string {
  const rows = Object.entries(presets).map(
    ([id, { title, description, scenarios: names }]) =>
      `| \`${id}\` | ${title} | ${description} | ${names.length > 20 ? `\`original\`, ${names.length - 1} more` : names.map((name) => `\`${name}\``).join(', ')} |`,
  );
  return ['| preset | after | what is in it | scenarios |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

function row(scenario: Scenario): string {
  const settings = describeParams(scenario).map(
    (param) => `\`${param.name}=${param.default}\` ${param.description} (${param.accepts})`,
  );
  const cells = [
    `\`${scenario.id}\``,
    scenario.description,
    scenario.part,
    scenario.object,
    scenario.needs.join(', ') || '–',
    settings.join('<br>') || '–',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const mark = (part: string, edge: 'begin' | 'end') => `<!-- ${part}: ${edge} (npm run docs:scenarios) -->`;

/** The page with its generated parts made anew. */
export function refreshPage(page: string): string {
  const parts: Record<string, string> = { scenarios: scenarioTables(), presets: presetTable() };
  return Object.entries(parts).reduce((text, [part, content]) => {
    const begin = text.indexOf(mark(part, 'begin'));
    const end = text.indexOf(mark(part, 'end'));
    if (begin < 0 || end < begin) throw new Error(`the page lacks ${mark(part, 'begin')} or its end`);
    return `${text.slice(0, begin + mark(part, 'begin').length)}\n\n${content}\n${text.slice(end)}`;
  }, page);
}
