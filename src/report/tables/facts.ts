import { countOf, fixedOf } from '../../contracts/numbers.ts';
import type { RunRecord } from '../../contracts/run-record.ts';
import type { ReportTable } from '../document.ts';

const text = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : String(value);

const borders: Record<string, string> = {
  ignore: 'uncertain borders are object in edits and left out of comparisons',
  object: 'uncertain borders count as object',
  background: 'uncertain borders count as background',
};
const decodings: Record<string, string> = {
  corrected: 'corrected: EXIF rotation and wide-gamut profiles applied',
  pillow: 'pillow: exactly as Pillow’s convert("RGB")',
};

function differenceWords(differences: RunRecord['decodeDifferences']): string | null {
  if (!differences) return null;
  const reasons = Object.entries(differences.reasons).map(([reason, images]) => `${images} ${reason}`);
  return `${differences.images} images${reasons.length ? ` (${reasons.join(', ')})` : ''}`;
}

/** Data, settings, versions and machine. */
export function factsTable(record: RunRecord): ReportTable {
  const { data, photographs, config } = record;
  const masks =
    photographs &&
    [
      borders[String(photographs.border ?? 'ignore')] ?? String(photographs.border),
      photographs.edges === 'hard' ? 'pasted with hard edges' : '',
      photographs.growMaskPx ? `grown by ${photographs.growMaskPx} px` : '',
      photographs.editProtected ? 'defects edited like the rest' : '',
    ]
      .filter(Boolean)
      .join('; ');
  const facts: [string, string | null][] = [
    ['Data', text(data?.path)],
    ['Layout', text(data?.layout)],
    ['Images', data?.samples === undefined ? null : `${data.samples} of ${data.classes?.length ?? '?'} classes`],
    ['Hash of the data', text(data?.hash)],
    ['Masks', text(masks)],
    ['Decoding', text(decodings[String(photographs?.mode)] ?? photographs?.mode)],
    ['Read otherwise by the other decoding', differenceWords(record.decodeDifferences)],
    ['Backgrounds', text(config?.backgrounds)],
    ['Generated backgrounds', text(config?.generated)],
    ['Backgrounds painted by', paintingWords(record.painting)],
    ['Seed', text(record.seed)],
    ['Folds', text(config?.folds)],
    ['Sceneshift', text(record.sceneshift)],
    ...Object.entries(record.versions).map(([name, value]): [string, string | null] => [
      name === 'node' ? 'Node.js' : name[0].toUpperCase() + name.slice(1),
      typeof value === 'object' ? JSON.stringify(value) : text(value),
    ]),
    ['Processor', processorWords(record.processor)],
    ['Threads', text(record.threads)],
    ['Started', text(record.started)],
    ['Took', record.seconds ? `${fixedOf(record.seconds, 1)} s` : null],
    ['Answers', record.rows ? countOf(record.rows) : null],
  ];
  return {
    id: 'facts',
    folded: true,
    title: 'Data and machine',
    columns: [
      { key: 'what', label: 'What' },
      { key: 'value', label: 'Value' },
    ],
    rows: facts.flatMap(([what, value]) => (value === null || value === '' ? [] : [{ what, value }])),
  };
}

/** Which diffusion model, and which of the models compared it knew: its answers on what was searched are no test. */
function paintingWords(painting: RunRecord['painting']): string | null {
  if (!painting) return null;
  const { model, hash, settings, surrogate } = painting;
  const { scheduler, steps, guidance } = settings;
  const engine = `${model} (${hash.slice(0, 8)}; ${scheduler}, ${steps} steps, guidance ${guidance})`;
  if (!surrogate) return engine;
  return `${engine}; adversarial ones searched against ${surrogate.name} with ${surrogate.queries} tries each, all other models held out`;
}

/** A name, or a name with the features that decide how int8 models compute. */
function processorWords(processor: RunRecord['processor']): string | null {
  if (!processor || typeof processor === 'string') return processor ?? null;
  const { name, ...features } = processor;
  const shown = Object.entries(features).flatMap(([key, value]) => {
    if (value === true) return [key];
    if (Array.isArray(value)) return value.map(String);
    return value === false || value === null || value === undefined ? [] : [`${key} ${value}`];
  });
  return [name, ...shown].filter(Boolean).join(', ');
}
