import type { HardClass } from '../../metrics/answers/hardest-classes.ts';
import type { ReportTable } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { percent } from '../show.ts';

export function hardestTable(classes: readonly HardClass[], { most = 12 } = {}): ReportTable {
  return {
    id: 'hardest-classes',
    title: 'Hardest classes',
    note:
      classes.length > most ? `The ${most} hardest of ${classes.length}, all models together.` : 'All models together.',
    columns: [
      { key: 'class', label: 'Class' },
      { key: 'n', label: 'Images', align: 'right' },
      { key: 'original', label: 'As photographed', align: 'right', show: (value) => percent(value) },
      { key: 'edited', label: 'Over the shifts', align: 'right', show: (value) => percent(value) },
      { key: 'worst', label: 'At worst', align: 'right', show: (value) => percent(value) },
      { key: 'worstScenario', label: 'Under', show: (value) => (value === null ? '–' : scenarioTitle(String(value))) },
    ],
    rows: classes.slice(0, most).map((row) => ({ ...row })),
  };
}
