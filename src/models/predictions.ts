import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { ModelSettings } from '../contracts/model-config.ts';
import { normalizeLabel } from '../labels/match.ts';
import type { Answer, Model, ModelDescription } from './define.ts';
import { needColumns, readTable } from './read-table.ts';

export interface PredictionsDescription extends ModelDescription {
  readonly kind: 'predictions';
  readonly predictions: { readonly path: string; readonly model: string | undefined };
}

interface Stored {
  readonly prediction: string;
  readonly probability?: number;
  readonly probabilityTruth?: number;
  readonly rank?: number;
  readonly correct?: boolean;
}

/** Answers made elsewhere: `model,scenario,sample,label,prediction`, as a CSV or Parquet file. */
export async function describePredictions(
  path: string,
  settings: Partial<ModelSettings> = {},
): Promise<PredictionsDescription> {
  const { columns, rows } = await readTable(path);
  needColumns(path, columns, ['scenario', 'sample', 'prediction']);
  if (rows.length === 0) throw new UserError(`${path} holds no predictions`);
  const models = [...new Set(rows.map(({ model = '' }) => model))].sort();
  const wanted = settings.predictions?.model ?? (models.includes(settings.name ?? '') ? settings.name : undefined);
  if (wanted !== undefined && !models.includes(wanted))
    throw new UserError(`${path} has no predictions of '${wanted}'; it has ${models.slice(0, 8).join(', ')}`);
  if (models.length > 1 && wanted === undefined)
    throw new UserError(
      `${path} holds ${models.length} models (${models.slice(0, 5).join(', ')}${models.length > 5 ? ', …' : ''}); give each its own entry in the config, with predictions: { model: NAME }`,
    );
  const model = wanted ?? (columns.includes('model') ? models[0] : undefined);
  const own = rows.filter((row) => model === undefined || row.model === model);
  const names = new Map<string, string>();
  for (const { label = '', prediction } of own)
    for (const name of [label, prediction])
      if (name && !names.has(normalizeLabel(name))) names.set(normalizeLabel(name), name);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return {
    name: settings.name ?? (model || basename(path).replace(/\.\w+$/, '')),
    kind: 'predictions',
    source: path,
    identity: { kind: 'predictions', sha256: hash.digest('hex'), model },
    labels: [...names.values()],
    labelsFrom: basename(path),
    labelMap: settings.labelMap,
    outputs: 'probabilities',
    batch: 64,
    runsIn: 'main',
    looksAtPixels: false,
    warnings: [],
    predictions: { path, model },
  };
}

const keyOf = (sample: string, scenario: string) => `${sample}\0${scenario}`;

export function openPredictions(described: PredictionsDescription): Model {
  let stored: Promise<Map<string, Stored>> | undefined;
  return {
    ...described,
    // A new one each time: prepared variants are transferred between threads.
    prepare: () => new Uint8Array(0),
    async answer(_, questions) {
      const answers = await (stored ??= load(described));
      return questions.map(({ sample, scenario, label }): Answer => {
        const found = answers.get(keyOf(sample, scenario));
        if (!found)
          return {
            kind: 'failed',
            message: `${described.predictions.path} has no prediction for ${sample} in ${scenario}`,
          };
        const { prediction, correct = label !== undefined && normalizeLabel(prediction) === normalizeLabel(label) } =
          found;
        return { kind: 'verdict', ...found, prediction, correct };
      });
    },
    async close() {
      stored = undefined;
    },
  };
}

async function load({ predictions: { path, model } }: PredictionsDescription): Promise<Map<string, Stored>> {
  const { rows } = await readTable(path);
  const answers = new Map<string, Stored>();
  const numberOf = (text: string | undefined) => (text && Number.isFinite(Number(text)) ? Number(text) : undefined);
  for (const row of rows) {
    if (model !== undefined && row.model !== model) continue;
    const key = keyOf(row.sample, row.scenario);
    if (answers.has(key)) throw new UserError(`${path} answers twice for ${row.sample} in ${row.scenario}`);
    answers.set(key, {
      prediction: row.prediction,
      probability: numberOf(row.probability),
      probabilityTruth: numberOf(row.probabilityTruth),
      rank: numberOf(row.rank ?? row.rankTruth),
      correct: row.correct === undefined || row.correct === '' ? undefined : /^(true|1)$/i.test(row.correct),
    });
  }
  return answers;
}
