import type { ReportData } from '../data/load.ts';
import type { Block, Section } from '../document.ts';
import { said } from '../formats/inline.ts';
import { repeatCommand } from '../repeat-command.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { count } from '../show.ts';
import { doubtfulMasksTable } from '../tables/doubtful-masks.ts';
import { factsTable } from '../tables/facts.ts';
import { leftOutTable } from '../tables/left-out.ts';
import { modelTable } from '../tables/models.ts';

export function methodSection({ record, errors, scenarios, pictures, settings }: ReportData): Section {
  const blocks: Block[] = [];
  if (record.models.length)
    blocks.push({ kind: 'table', table: { ...modelTable(record.models), folded: record.models.length > 3 } });
  const doubtful = doubtfulMasksTable(record.doubtfulMasks);
  if (doubtful) blocks.push({ kind: 'table', table: doubtful });
  const warnings = record.models.flatMap(({ name, warnings: own }) =>
    own.map((warning) => `**${said(name)}**: ${said(warning)}`),
  );
  if (warnings.length)
    blocks.push({
      kind: 'list',
      items: warnings,
      ...(warnings.length > 3 && { folded: `${warnings.length} warnings about the models` }),
    });
  blocks.push({ kind: 'table', table: factsTable(record) });
  blocks.push({
    kind: 'list',
    items: scenarios.map((name) => `${said(scenarioTitle(name))}: \`${said(name)}\``),
    folded: `${count(scenarios.length, 'scenario')} and their names in files and on the command line`,
  });
  blocks.push(
    errors.length
      ? { kind: 'table', table: leftOutTable(errors) }
      : { kind: 'text', text: 'Nothing was left out: every image could be read, edited and answered.' },
  );
  if (pictures.leftOut)
    blocks.push({
      kind: 'text',
      text: `${count(pictures.leftOut, 'strip')} of pictures ${pictures.leftOut === 1 ? 'is' : 'are'} not shown, to keep this file below 6 MB; they are in the run folder.`,
    });
  const command = repeatCommand(record);
  if (command ?? settings) blocks.push({ kind: 'heading', text: 'To repeat it' });
  if (command) blocks.push({ kind: 'code', text: command });
  else if (settings)
    blocks.push(
      { kind: 'text', text: 'As `sceneshift.yaml`, then `sceneshift run --out RUN`:' },
      { kind: 'code', text: settings },
    );
  return { id: 'method', title: 'How it was measured', blocks };
}
