import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import type { PredictionRow } from '../../contracts/prediction.ts';
import { readTable } from '../../models/read-table.ts';
import { earlierRecord, inOwnFolder, openRunStore, writeRunRecord } from '../../run/folder/index.ts';
import { hashFile, hashJson } from '../../run/hash.ts';
import { toPredictionRows } from './prediction-rows.ts';
import { toTrainingRows } from './training-rows.ts';

export interface ImportOptions {
  /** A predictions CSV, or a folder with `predictions.csv` and perhaps `curves.csv`, `training.json` and `models/`. */
  readonly from: string;
  readonly out: string;
  readonly version: string;
}

export interface ImportSummary {
  readonly run: string;
  readonly rows: number;
  readonly models: readonly string[];
  readonly trained: readonly string[];
  readonly scenarios: readonly string[];
  readonly folds: number;
  /** Points of the training curves. */
  readonly curves: number;
  /** ONNX files now under `models/` of the run. */
  readonly files: readonly string[];
}

/** `training.json`, as the exported script writes it; other scripts need not. */
const trainingSchema = z.looseObject({
  model: z.string().optional(),
  classes: z.array(z.string()).optional(),
  scenarios: z.array(z.string()).optional(),
  seed: z.number().optional(),
});

const shardRows = 50_000;

/** Answers, curves and models of a training elsewhere become a run folder that `score`, `analyze` and `report` read. */
export async function importTraining({ from, out: given, version }: ImportOptions): Promise<ImportSummary> {
  const started = performance.now();
  const out = resolve(given);
  const { folder, predictions } = await locate(from);
  const sha256 = await hashFile(predictions);
  const table = await readTable(predictions);
  const rows = toPredictionRows(table, predictions);
  const training = await readTraining(folder);
  const distinct = (key: 'model' | 'trained' | 'scenario') => [...new Set(rows.map((row) => row[key]))];
  const models = distinct('model');
  const present = new Set(distinct('scenario'));
  const scenarios = [...new Set([...(training?.scenarios ?? []).filter((name) => present.has(name)), ...present])];

  const conditionOf = ({ model, trained, scenario, fold }: PredictionRow) =>
    hashJson({ imported: sha256, model, trained, scenario, fold });
  const conditions = new Map<string, { condition: string; model: string; scenario: string }>();
  const stored = rows.map((row) => {
    const condition = conditionOf(row);
    conditions.set(condition, { condition, model: row.model, scenario: row.scenario });
    return { ...row, condition, sampleHash: sha256.slice(0, 32) };
  });
  const curves = await readCurves(folder, sha256);
  // The answers in shards, then the models; the record tells of them last.
  return inOwnFolder(out, async () => {
    const store = await openRunStore(out);
    let total: number;
    try {
      // What an earlier import of these models left goes; the same file again gives the same shards.
      await store.removeReplaced('predictions', [...conditions.values()]);
      for (const model of models) {
        await store.removeHeads('predictions', model, [...conditions.keys()]);
        await store.removeHeads(
          'training',
          model,
          curves.map(({ condition }) => condition),
        );
      }
      await store.write('training', curves);
      for (let at = 0; at < stored.length; at += shardRows)
        await store.write('predictions', stored.slice(at, at + shardRows));
      total = await store.countRows('predictions');
    } finally {
      store.close();
    }
    const files = folder ? await copyModels(join(folder, 'models'), join(out, 'models')) : [];
    const before = await earlierRecord(out);
    const record = {
      sceneshift: version,
      config: before?.config ?? {},
      seed: training?.seed ?? before?.seed ?? 0,
      data: before?.data ?? {
        path: resolve(folder ?? dirname(predictions)),
        layout: 'imported',
        samples: new Set(rows.map(({ sample }) => sample)).size,
        classes: training?.classes ?? [...new Set(rows.map(({ label }) => label))].sort(),
      },
      scenarios: scenarios,
      models: [
        ...models.map((name) => ({
          name,
          kind: 'predictions',
          source: predictions,
          identity: { kind: 'predictions', sha256, model: name },
          parameters: null,
          warnings: [],
          ...(training && { training }),
        })),
      ],
      versions: { ...before?.versions, node: process.versions.node, platform: `${process.platform}-${process.arch}` },
      finished: new Date().toISOString(),
      seconds: (performance.now() - started) / 1000,
      rows: total,
    };
    await writeRunRecord(out, record);
    return {
      run: out,
      rows: total,
      models,
      trained: distinct('trained').filter(Boolean),
      scenarios,
      folds: new Set(rows.map(({ fold }) => fold).filter((fold) => fold >= 0)).size,
      curves: curves.length,
      files,
    };
  });
}

async function locate(from: string): Promise<{ folder?: string; predictions: string }> {
  const found = await stat(from).catch(() => undefined);
  if (!found) throw new UserError(`There is no file or folder ${from} to import`);
  if (!found.isDirectory()) {
    const beside = basename(from).startsWith('predictions.') ? dirname(from) : undefined;
    return { folder: beside, predictions: from };
  }
  for (const folder of [from, join(from, 'results')])
    for (const name of ['predictions.csv', 'predictions.parquet']) {
      const path = join(folder, name);
      if (await stat(path).catch(() => undefined)) return { folder, predictions: path };
    }
  throw new UserError(`${from} holds no predictions.csv; has the training there come to its end?`);
}

async function readCurves(folder: string | undefined, sha256: string) {
  const path = join(folder ?? '', 'curves.csv');
  if (!folder || !(await stat(path).catch(() => undefined))) return [];
  return toTrainingRows(await readTable(path), path).map((row) => ({
    ...row,
    condition: hashJson({ imported: sha256, curve: [row.model, row.trained, row.fold] }),
    sampleHash: sha256.slice(0, 32),
  }));
}

async function readTraining(folder: string | undefined) {
  if (!folder) return undefined;
  const file = join(folder, 'training.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return trainingSchema.parse(JSON.parse(text));
  } catch {
    throw new UserError(`${file} cannot be read: expected what train.py writes`);
  }
}

/** The script's ONNX files with the records beside them, ready for `--model`. */
async function copyModels(from: string, to: string): Promise<string[]> {
  const names = (await readdir(from).catch(() => [] as string[])).filter((name) =>
    /\.(onnx|json|onnx\.data)$/.test(name),
  );
  if (!names.length) return [];
  await mkdir(to, { recursive: true });
  for (const name of names) await copyFile(join(from, name), join(to, name));
  return names
    .filter((name) => name.endsWith('.onnx'))
    .map((name) => join(to, name))
    .sort();
}
