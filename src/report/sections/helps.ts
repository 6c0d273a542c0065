import type { ReportData } from '../data/load.ts';
import type { Section } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { helpsByScenarioTable, helpsTable } from '../tables/helps.ts';

/** What was tried against the losses, where `train --helps` did. */
export function helpsSection({ helps }: ReportData): Section | null {
  if (!helps?.remedies.length) return null;
  return {
    id: 'helps',
    title: 'What helps',
    blocks: [
      { kind: 'table', table: helpsTable(helps) },
      { kind: 'list', items: [...helps.words, ...helps.notes] },
      { kind: 'table', table: helpsByScenarioTable(helps, scenarioTitle) },
    ],
  };
}
