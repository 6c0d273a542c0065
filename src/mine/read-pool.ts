import { extname } from 'node:path';
import { expected } from '../contracts/errors.ts';
import { type SaliencyRow, saliencyIndexSchema } from '../contracts/saliency.ts';
import { readCsvObjects } from '../formats/csv-rows.ts';
import { readRegularFile } from '../formats/regular-file.ts';
import { type RunFolder, readDocument } from '../run/folder/index.ts';
import { localPlace } from '../storage/local-place.ts';
import { type PicturePool, type PoolItem, toPool } from './pool.ts';

/** What else is known of a picture: columns of the manifest that `generate` writes. */
interface Factors {
  readonly nuisance?: string;
  readonly kind?: string;
  readonly seed?: string;
  readonly group?: string;
}

export interface ReadPool {
  readonly pool: PicturePool;
  readonly incomplete: number;
  /** Per model, what it answered; in the order of the pool's items. */
  readonly predictions: ReadonlyMap<string, readonly string[]>;
  /** Per model, its belief in the truth; NaN where it did not say. */
  readonly beliefs: ReadonlyMap<string, Float64Array>;
  /** What `explain` measured of a fair choice of pictures; undefined where it did not. */
  readonly saliency: readonly SaliencyRow[] | undefined;
}

interface Row {
  readonly model: string;
  readonly scenario: string;
  readonly sample: string;
  readonly group: string;
  readonly label: string;
  readonly prediction: string;
  readonly correct: boolean;
  readonly probabilityTruth: number | null;
}

/**
 * The answers of models as delivered. The nuisance of a picture is its kind in the manifest it was generated with, else its
 * scenario; pictures of one prompt are one group, else those of one source photograph.
 */
export async function readPool(folder: RunFolder, { factors }: { factors?: string } = {}): Promise<ReadPool> {
  const record = await folder.record();
  const known = await readFactors(factors ?? record.data?.path);
  const rows = await folder.query<Row>(
    `SELECT model, scenario, sample, "group", label, prediction, correct, probabilityTruth FROM predictions
     WHERE trained = '' ORDER BY scenario, sample, model`,
  );
  const itemOf = ({ scenario, sample, label, group }: Row): PoolItem => {
    const more = known.get(sample);
    return {
      sample,
      scenario,
      label,
      nuisance: more?.kind || more?.nuisance || scenario,
      ...(more?.kind && more.nuisance ? { detail: `${more.kind}: ${more.nuisance}` } : {}),
      group: more?.group || group || sample,
      ...(more?.seed ? { seed: Number(more.seed) } : {}),
    };
  };
  const { pool, incomplete } = toPool(
    (function* () {
      for (const row of rows) yield { ...itemOf(row), model: row.model, correct: row.correct };
    })(),
  );
  const byKey = new Map(rows.map((row) => [`${row.model}\u0000${row.scenario}\u0000${row.sample}`, row]));
  const rowOf = (model: string, { scenario, sample }: PoolItem) =>
    byKey.get(`${model}\u0000${scenario}\u0000${sample}`) as Row;
  return {
    pool,
    incomplete,
    saliency: await readSaliency(folder),
    predictions: new Map(pool.models.map((model) => [model, pool.items.map((item) => rowOf(model, item).prediction)])),
    beliefs: new Map(
      pool.models.map((model) => [
        model,
        Float64Array.from(pool.items, (item) => rowOf(model, item).probabilityTruth ?? Number.NaN),
      ]),
    ),
  };
}

/** Not used where samples were explained because their answers flipped: that choice would bias the result. */
async function readSaliency(folder: RunFolder): Promise<SaliencyRow[] | undefined> {
  if (!folder.tables.has('saliency')) return undefined;
  const remedy = 'sceneshift explain writes it again';
  const index = await readDocument(folder.path, 'saliency/index.json', saliencyIndexSchema, { remedy });
  return index?.selection.kind === 'flipped' ? undefined : folder.rows('saliency');
}

async function readFactors(path: string | undefined): Promise<Map<string, Factors>> {
  if (!path || extname(path).toLowerCase() !== '.csv') return new Map();
  const manifest = localPlace(path, '--factors').then((file) => readRegularFile(file));
  const text = await manifest.catch(() => {
    throw expected('a readable table', 'the manifest of the pictures', path, 'give it with --factors');
  });
  return new Map(readCsvObjects(text.toString(), path).map((row) => [row.sample || row.image, row as Factors]));
}
