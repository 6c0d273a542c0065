import type { RunRecord } from '../data/record.ts';
import type { Table } from '../document.ts';

const text = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : String(value);

/** Data, settings, versions and machine. */
export function factsTable(record: RunRecord): Table {
  const { data, photographs, config } = record;
  const masks =
    photographs &&
    [
      `uncertain borders count as ${photographs.border ?? 'ignore'}`,
      photographs.growMaskPx ? `grown by ${photographs.growMaskPx} px` : '',
    ]
      .filter(Boolean)
      .join('; ');
  const facts: [string, string | null][] = [
    ['Data', text(data?.path)],
    ['Layout', text(data?.layout)],
    ['Images', data?.samples === undefined ? null : `${data.samples} of ${data.classes?.length ?? '?'} classes`],
    ['Hash of the data', text(data?.hash)],
    ['Masks', text(masks)],
    ['Decoding', text(photographs?.mode)],
    ['Backgrounds', text(config?.backgrounds)],
    ['Generated backgrounds', text(config?.generated)],
    ['Seed', text(record.seed)],
    ['Folds', text(config?.folds)],
    ['Sceneshift', text(record.sceneshift)],
    ...Object.entries(record.versions).map(([name, value]): [string, string | null] => [
      name === 'node' ? 'Node.js' : name,
      typeof value === 'object' ? JSON.stringify(value) : text(value),
    ]),
    ['Processor', text(record.processor)],
    ['Threads', text(record.threads)],
    ['Started', text(record.started)],
    ['Took', record.seconds ? `${record.seconds.toFixed(1)} s` : null],
    ['Answers', record.rows ? record.rows.toLocaleString('en-US') : null],
  ];
  return {
    id: 'facts',
    title: 'Data and machine',
    columns: [
      { key: 'what', label: 'What' },
      { key: 'value', label: 'Value' },
    ],
    rows: facts.flatMap(([what, value]) => (value === null || value === '' ? [] : [{ what, value }])),
  };
}
