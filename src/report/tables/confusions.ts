import type { Confusion } from '../../metrics/answers/common-confusions.ts';
import type { ReportTable } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { percent } from '../show.ts';

export function confusionTable(confusions: readonly Confusion[]): ReportTable {
  return {
    id: 'confusions',
    title: 'Most common confusions',
    note: 'Per scenario, all models together; the share is of all answers to images of that class.',
    folded: true,
    columns: [
      { key: 'scenario', label: 'Scenario', show: (value) => scenarioTitle(String(value)) },
      { key: 'label', label: 'It was' },
      { key: 'prediction', label: 'Seen as' },
      { key: 'count', label: 'Times', align: 'right' },
      { key: 'share', label: 'Share', align: 'right', show: (value) => percent(value) },
    ],
    rows: confusions.map((row) => ({ ...row })),
  };
}
