import { UserError } from '../../contracts/errors.ts';
import type { TextColumn } from '../analyze/table.ts';
import type { Predictions } from '../table/predictions.ts';
import { type SampleNames, sampleNames } from './sample-names.ts';

export interface Side {
  readonly predictions: Predictions;
  readonly model: string;
}

/** The names the two sides go by in the joint table. */
export const sides = ['A', 'B'] as const;

/** The rows of one model of each side as one table with models A and B, paired by sample. */
export function joinSides(a: Side, b: Side): { joint: Predictions; names: SampleNames } {
  const parts = [a, b].map(({ predictions, model }) => {
    if (predictions.pairedBy.codes !== predictions.sample.codes)
      throw new UserError(`${predictions.source} has several answers per sample (folds); compare needs one`);
    const code = predictions.model.levels.indexOf(model);
    const rows: number[] = [];
    for (let row = 0; row < predictions.rowCount; row++) if (predictions.model.codes[row] === code) rows.push(row);
    return { predictions, rows };
  });
  const rowCount = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const text = (column: (predictions: Predictions) => TextColumn) => joinText(parts, column, rowCount);
  const bytes = (column: (predictions: Predictions) => Uint8Array) => {
    const joined = new Uint8Array(rowCount);
    let at = 0;
    for (const { predictions, rows } of parts) for (const row of rows) joined[at++] = column(predictions)[row];
    return joined;
  };
  const names = sampleNames(a.predictions.sample.levels, b.predictions.sample.levels);
  const sample = joinText(
    parts,
    ({ sample: { codes, levels } }) => ({ codes, levels: names.parts ? levels.map(names.name) : levels }),
    rowCount,
  );
  const pairedBy = { codes: sample.codes, count: sample.levels.length };
  const cluster = joinClusters(parts, sample);
  const model = new Uint32Array(rowCount).fill(1);
  model.fill(0, 0, parts[0].rows.length);
  const answers = parts.every(({ predictions }) => predictions.prediction !== undefined);
  const joint: Predictions = {
    source: `${a.predictions.source} and ${b.predictions.source}`,
    rowCount,
    model: { codes: model, levels: [...sides] },
    trained: text(({ trained }) => trained),
    scenario: text(({ scenario }) => scenario),
    sample,
    label: text(({ label }) => label),
    prediction: answers ? text(({ prediction }) => prediction as TextColumn) : undefined,
    pairedBy,
    cluster,
    single: cluster.codes === pairedBy.codes,
    correct: bytes(({ correct }) => correct),
    correctOwn: bytes(({ correctOwn }) => correctOwn),
    rank: undefined,
    probability: undefined,
    probabilityTruth: undefined,
  };
  return { joint, names };
}

interface Part {
  readonly predictions: Predictions;
  readonly rows: readonly number[];
}

function joinText(
  parts: readonly Part[],
  column: (predictions: Predictions) => TextColumn,
  rowCount: number,
): TextColumn {
  const codes = new Uint32Array(rowCount);
  const index = new Map<string, number>();
  let at = 0;
  for (const { predictions, rows } of parts) {
    const { codes: own, levels } = column(predictions);
    const place = new Int32Array(levels.length).fill(-1);
    for (const row of rows) {
      const code = own[row];
      if (place[code] < 0) {
        const known = index.get(levels[code]);
        place[code] = known ?? index.size;
        if (known === undefined) index.set(levels[code], index.size);
      }
      codes[at++] = place[code];
    }
  }
  return { codes, levels: [...index.keys()] };
}

/** A sample belongs to the cluster of the first side that has it. */
function joinClusters(parts: readonly Part[], sample: TextColumn): Predictions['cluster'] {
  if (parts.every(({ predictions }) => predictions.cluster.by === 'sample'))
    return { codes: sample.codes, count: sample.levels.length, by: 'sample' };
  const ofSample = new Float64Array(sample.levels.length).fill(-1);
  let [at, offset] = [0, 0];
  for (const { predictions, rows } of parts) {
    for (const row of rows) {
      const code = sample.codes[at++];
      if (ofSample[code] < 0) ofSample[code] = offset + predictions.cluster.codes[row];
    }
    offset += predictions.cluster.count;
  }
  const place = new Map<number, number>();
  const dense = Uint32Array.from(ofSample, (code) => {
    if (!place.has(code)) place.set(code, place.size);
    return place.get(code) as number;
  });
  return { codes: sample.codes.map((code) => dense[code]), count: place.size, by: 'group' };
}
