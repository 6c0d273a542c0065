import type { ErrorLine } from '../../contracts/prediction.ts';
import type { ReportTable } from '../document.ts';

const words: Record<string, string> = {
  'missing-file': 'the file is not there',
  'empty-file': 'the file is empty',
  'not-an-image': 'not an image',
  truncated: 'the file is cut off',
  'too-large': 'too large',
  'too-small': 'too small',
  'mask-missing': 'no mask',
  'mask-unreadable': 'the mask cannot be read',
  'mask-size': 'the mask has another size',
  'mask-empty': 'the mask is empty',
  'mask-full': 'the mask covers everything',
  'label-unknown': 'the model does not know the label',
  'no-background': 'no background for it',
  'model-failed': 'the model failed',
  crashed: 'a native library crashed on it',
  other: 'other',
};

/** What could not be measured, by reason. */
export function leftOutTable(errors: readonly ErrorLine[]): ReportTable {
  const groups = new Map<string, ErrorLine[]>();
  for (const line of errors) {
    const key = JSON.stringify([line.problem, line.scenario ?? '', line.model ?? '']);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return {
    id: 'left-out',
    title: 'Left out',
    note: 'Every line is in errors.jsonl.',
    columns: [
      { key: 'reason', label: 'Reason' },
      { key: 'scenario', label: 'Scenario', show: (value) => String(value || 'all') },
      { key: 'model', label: 'Model', show: (value) => String(value || 'all') },
      { key: 'samples', label: 'Samples', align: 'right' },
      { key: 'example', label: 'For instance' },
      { key: 'message', label: 'Message' },
    ],
    rows: [...groups.values()]
      .sort((a, b) => b.length - a.length)
      .map((lines) => ({
        reason: words[lines[0].problem] ?? lines[0].problem,
        scenario: lines[0].scenario ?? '',
        model: lines[0].model ?? '',
        samples: new Set(lines.map(({ sample }) => sample)).size,
        example: lines[0].sample,
        message: lines[0].message,
      })),
  };
}
