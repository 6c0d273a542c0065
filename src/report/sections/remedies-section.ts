import type { ReportData } from '../data/load.ts';
import type { Section } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { remediesByScenarioTable, remediesTable } from '../tables/remedies-table.ts';

/** The remedies tried against the losses, where the run has them (`train --helps`). */
export function remediesSection({ helps }: ReportData): Section | null {
  if (!helps?.remedies.length) return null;
  return {
    id: 'helps',
    title: 'What helps',
    blocks: [
      { kind: 'table', table: remediesTable(helps) },
      { kind: 'list', items: [...helps.words, ...helps.notes] },
      { kind: 'table', table: remediesByScenarioTable(helps, scenarioTitle) },
    ],
  };
}
