import type { RunRecord } from '../../contracts/run-record.ts';
import type { ReportTable } from '../document.ts';
import { millions } from '../show.ts';

type Model = RunRecord['models'][number];

/** What each model is, to the byte, and what is done to a picture before it sees it. */
export function modelTable(models: readonly Model[]): ReportTable {
  return {
    id: 'models',
    title: 'Models and their preprocessing',
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'kind', label: 'Kind' },
      { key: 'parameters', label: 'Parameters, M', align: 'right', show: millions },
      { key: 'preprocessing', label: 'Preprocessing' },
      { key: 'labels', label: 'Labels from' },
      { key: 'source', label: 'Source' },
      { key: 'sha256', label: 'SHA-256', show: (value) => (value ? `${String(value).slice(0, 16)}…` : '–') },
    ],
    rows: models.map((model) => ({
      model: model.name,
      kind: model.kind ?? null,
      parameters: model.parameters ?? null,
      preprocessing: model.preprocessing ? preprocessingWords(model.preprocessing) : null,
      labels: model.labelsFrom ?? null,
      source: model.source ?? null,
      sha256: typeof model.identity.sha256 === 'string' ? model.identity.sha256 : null,
    })),
  };
}

/** A preprocessing record as one line: what happens, in its order. */
export function preprocessingWords(record: Record<string, unknown>): string {
  const { padToSquare, resize, crop, scale, mean, std, channels, layout, type } = record as {
    padToSquare?: boolean;
    resize?: { shortSide?: number; width?: number; height?: number; filter?: string; fit?: string } | null;
    crop?: { width: number; height: number } | null;
    scale?: number | string;
    mean?: number[];
    std?: number[];
    channels?: string;
    layout?: string;
    type?: string;
  };
  const size = resize && (resize.shortSide ? `short side ${resize.shortSide}` : `${resize.width}×${resize.height}`);
  const factor = typeof scale === 'number' ? (Math.abs(scale - 1 / 255) < 1e-9 ? '÷ 255' : `× ${scale}`) : scale;
  return [
    padToSquare && 'padded to a square',
    resize && `resized to ${size} (${[resize.filter, resize.fit].filter(Boolean).join(', ')})`,
    crop && `centre ${crop.width}×${crop.height}`,
    channels,
    factor && (factor === 'max' ? '÷ its largest value' : factor),
    mean && `mean ${mean.join(' ')}`,
    std && `std ${std.join(' ')}`,
    [type, layout].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', ');
}
