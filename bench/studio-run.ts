import { copyFile, link, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { scenarios as known } from '../src/scenarios/registry.ts';

export interface LargeRunOptions {
  readonly samples?: number;
  readonly models?: number;
  readonly scenarios?: number;
}

const shardRows = 1600;
const classes = 12;

/**
 * A run as large as they come, over hard links to the benchmark's photographs: models × scenarios × samples answers by a
 * rule, in shards as small as `sceneshift run` writes them. Nothing about it is true but its size and its shape.
 */
export async function makeLargeRun(
  folder: string,
  benchmark: string,
  { samples = 10_000, models = 10, scenarios = 20 }: LargeRunOptions = {},
): Promise<{ run: string; rows: number }> {
  const names = known
    .filter(({ needs, part }) => part !== 'removal' && needs.every((need) => need === 'mask'))
    .map(({ id }) => id);
  const chosen = ['original', ...names.filter((name) => name !== 'original')].slice(0, scenarios);
  const data = await linkPhotographs(join(folder, 'photographs'), benchmark, samples);
  const run = join(folder, 'run');
  await mkdir(join(run, 'predictions'), { recursive: true });
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = samples * models * chosen.length;
  const list = (values: readonly string[]) => `[${values.map((value) => `'${value}'`).join(', ')}]`;
  // Rows lie as a run leaves them: some samples in every scenario by every model, then the next.
  const query = (first: number, count: number) => `
    WITH r AS (
      SELECT i, i // ${models * chosen.length} AS s, (i // ${models}) % ${chosen.length} AS c, i % ${models} AS m,
        hash(i) / 18446744073709551615.0 AS u, hash(i // ${models}) / 18446744073709551615.0 AS w
      FROM range(${first}, ${first + count}) t(i))
    SELECT 'model-' || m AS model, '' AS trained, (${list(chosen)})[c + 1] AS scenario,
      id AS sample, '' AS "group", (${list(data.labels)})[s % ${classes} + 1] AS label,
      (s % 4)::INTEGER AS fold,
      (${list(data.labels)})[(CASE WHEN right_answer THEN s ELSE s + 1 + (hash(i + 7) % 5)::BIGINT END) % ${classes} + 1] AS prediction,
      0.3 + 0.7 * u AS probability, CASE WHEN right_answer THEN 0.3 + 0.7 * u ELSE 0.2 * u END AS probabilityTruth,
      CASE WHEN right_answer THEN 1 ELSE 2 END::INTEGER AS rankTruth, right_answer AS correct, right_answer AS correctOwn,
      'condition-' || m || '-' || c AS condition, 'source-' || s AS "sampleHash"
    FROM (SELECT *, 0.5 * u + 0.5 * w > 0.15 + 0.015 * c + 0.01 * m AS right_answer FROM r JOIN ids ON ids.place = s) ORDER BY i`;
  await connection.run('CREATE TABLE ids (place BIGINT, id VARCHAR)');
  const appender = await connection.createAppender('ids');
  for (const [at, id] of data.ids.entries()) {
    appender.appendBigInt(BigInt(at));
    appender.appendVarchar(id);
    appender.endRow();
  }
  appender.closeSync();
  for (let first = 0; first < rows; first += shardRows) {
    const file = join(run, 'predictions', `${String(first / shardRows).padStart(8, '0')}.parquet`);
    await connection.run(
      `COPY (${query(first, Math.min(shardRows, rows - first))}) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`,
    );
  }
  connection.closeSync();
  instance.closeSync();
  const modelNames = Array.from({ length: models }, (_, m) => `model-${m}`);
  const record = {
    sceneshift: 'bench',
    config: { data: data.manifest, scenarios: chosen, out: run },
    seed: 0,
    data: { path: data.manifest, layout: 'manifest', hash: 'bench', samples, classes: data.labels },
    scenarios: chosen,
    models: modelNames.map((name) => ({ name, kind: 'classifier', source: name })),
    started: '2026-01-01T00:00:00.000Z',
    finished: '2026-01-01T01:00:00.000Z',
    rows,
    errors: 0,
  };
  await writeFile(join(run, 'run.json'), JSON.stringify(record));
  return { run, rows };
}

async function linkPhotographs(folder: string, benchmark: string, samples: number) {
  const labels = (await readdir(join(benchmark, 'images'))).sort().slice(0, classes);
  const files = await Promise.all(
    labels.map(async (label) => (await readdir(join(benchmark, 'images', label))).sort()),
  );
  const ids: string[] = [];
  for (let i = 0; i < samples; i++) {
    const label = i % labels.length;
    const file = files[label][Math.floor(i / labels.length) % files[label].length];
    const id = `images/${labels[label]}/${String(i).padStart(6, '0')}.jpg`;
    const mask = `masks/${labels[label]}/${String(i).padStart(6, '0')}.png`;
    for (const [target, source] of [
      [id, join(benchmark, 'images', labels[label], file)],
      [mask, join(benchmark, 'masks', labels[label], `${basename(file, '.jpg')}.png`)],
    ]) {
      await mkdir(dirname(join(folder, target)), { recursive: true });
      await link(source, join(folder, target)).catch(() => copyFile(source, join(folder, target)));
    }
    ids.push(id);
  }
  const manifest = join(folder, 'manifest.csv');
  const lines = ids.map(
    (id, i) => `${id},${id.replace('images/', 'masks/').replace('.jpg', '.png')},${labels[i % labels.length]}`,
  );
  await writeFile(manifest, `image,mask,label\n${lines.join('\n')}\n`);
  return { ids, labels, manifest };
}
