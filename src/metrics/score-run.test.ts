import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRunFolder } from '../../test/support/run-folder.ts';
import { writeRunRecord } from '../run/folder/index.ts';
import { gateRows, scorePath, scoreRun } from './score-run.ts';

const csv = fileURLToPath(new URL('../../test/fixtures/metrics/predictions.csv', import.meta.url));

describe('a run folder', () => {
  let run = '';
  beforeAll(async () => {
    run = await mkdtemp(join(tmpdir(), 'sceneshift-score-'));
    await mkdir(join(run, 'predictions'));
    await mkdir(join(run, 'segmentation'));
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`CREATE TABLE p AS SELECT model, '' AS trained, scenario, sample, '' AS "group", label,
      (-1)::INTEGER AS fold, prediction, probability, 0.5::DOUBLE AS "probabilityTruth", rank::INTEGER AS "rankTruth",
      label = prediction AS correct, label = prediction AS "correctOwn", model || scenario AS condition, 'x' AS "sampleHash"
      FROM read_csv('${csv}')`);
    await connection.run(
      `COPY (FROM p WHERE model = 'first') TO '${join(run, 'predictions', 'a.parquet')}' (FORMAT parquet)`,
    );
    // A shard that repeats rows, as a run killed while it replaced one leaves them.
    await connection.run(
      `COPY (FROM p WHERE model = 'second' OR scenario = 'grey') TO '${join(run, 'predictions', 'b.parquet')}' (FORMAT parquet)`,
    );
    await connection.run(`COPY (SELECT 'seg' AS model, scenario, sample, '' AS "group", 'c' AS label, class,
      50::BIGINT AS intersection, 100::BIGINT AS "union", 70::BIGINT AS predicted, 80::BIGINT AS truth,
      900::BIGINT AS "correctPixels", 1000::BIGINT AS pixels, 0::BIGINT AS "boundaryPredicted", 0::BIGINT AS "boundaryTruth",
      0::BIGINT AS "boundaryPredictedMatched", 0::BIGINT AS "boundaryTruthMatched", scenario AS condition, 'x' AS "sampleHash"
      FROM (VALUES ('original', 's1'), ('original', 's2'), ('grey', 's1'), ('grey', 's2')) AS v(scenario, sample),
        (VALUES ('object'), ('cat')) AS c(class))
      TO '${join(run, 'segmentation', 'a.parquet')}' (FORMAT parquet)`);
    connection.closeSync();
  });
  afterAll(() => rm(run, { recursive: true }));

  it("knows by run.json alone that a plugin's scenario is a control", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sceneshift-plugin-part-'));
    const scenarios = ['original', 'blur-background', 'only-in-a-plugin:0.5'];
    await makeRunFolder(folder, { models: ['good'], scenarios });
    const counted = async () => {
      const [{ scenarios: rows, meanDrop }] = (await scoreRun(folder)).models;
      return { part: rows[2].part, meanDrop, drop: rows[1].drop };
    };
    const before = await counted();
    expect(before.part).toBe('shift');
    const record = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
    const plugin = { file: '/gone.mjs', hash: 'h', scenarios: [{ id: 'only-in-a-plugin', part: 'control' }] };
    await writeFile(join(folder, 'run.json'), JSON.stringify({ ...record, plugins: [plugin] }));
    const after = await counted();
    expect(after).toMatchObject({ part: 'control', meanDrop: after.drop });
    expect(after.meanDrop).not.toBe(before.meanDrop);
    await rm(folder, { recursive: true });
  });

  it('has models and scenarios in the order of run.json, not of the files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sceneshift-order-'));
    await makeRunFolder(folder, { models: ['a', 'b'], scenarios: ['original', 'grey', 'fog:3'] });
    const order = async () =>
      (await scoreRun(folder)).models.map(({ model, scenarios }) => [model, ...scenarios.map((row) => row.scenario)]);
    const stored = ['original', 'grey', 'fog:3'];
    expect(await order()).toEqual([
      ['a', ...stored],
      ['b', ...stored],
    ]);
    const record = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
    const named = ['original', 'fog:3', 'grey'];
    await writeFile(
      join(folder, 'run.json'),
      JSON.stringify({ ...record, models: record.models.reverse(), scenarios: named }),
    );
    expect(await order()).toEqual([
      ['b', ...named],
      ['a', ...named],
    ]);
    await rm(folder, { recursive: true });
  });

  it('has the same alarms, ties and notes whatever was finished first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sceneshift-first-'));
    const scenarios = ['original', 'blur-background', 'grey', 'size:0.05'];
    // Both guess, and lose as much in each scenario.
    const right = (_: number, scenario: number, sample: number) => sample % 3 === (scenario ? 1 : 0);
    await makeRunFolder(folder, { models: ['b', 'a'], scenarios, right });
    const told = async () =>
      JSON.stringify(await scoreRun(folder, { rank: {} }), (_, value) =>
        typeof value === 'number' ? Number(value.toPrecision(12)) : value,
      );
    const before = await told();
    expect(JSON.parse(before).alarms.map(({ model }: { model: string }) => model)).toEqual(['b', 'a']);
    const answers = join(folder, 'predictions');
    const [shard] = await readdir(answers);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`CREATE TABLE p AS SELECT *, row_number() OVER () AS place FROM '${join(answers, shard)}'`);
    await connection.run(
      `COPY (SELECT * EXCLUDE place FROM p ORDER BY place DESC) TO '${join(answers, shard)}' (FORMAT parquet)`,
    );
    connection.closeSync();
    expect(await told()).toBe(before);
    await rm(folder, { recursive: true });
  });

  it('scores as the same answers in a CSV do, repeated rows once', async () => {
    const [fromRun, fromCsv] = [await scoreRun(run), await scorePath(csv)];
    for (const model of fromCsv.models) {
      const same = fromRun.models.find((other) => other.model === model.model);
      expect(same?.robustness?.score).toBeCloseTo(model.robustness?.score as number, 12);
      expect(same?.robustness?.ci?.[0]).toBeCloseTo(model.robustness?.ci?.[0] as number, 8);
      for (const row of model.scenarios) {
        const other = same?.scenarios.find(({ scenario }) => scenario === row.scenario);
        expect(other).toMatchObject({ n: row.n, top1: row.top1, drop: row.drop, p: row.p });
        expect(other?.probabilityTruth).toBeCloseTo(0.5, 12);
      }
    }
  });

  it('shows segmentation beside it, and one shard by itself', async () => {
    const { segmentation } = await scoreRun(run);
    expect(segmentation?.map((row) => `${row.scenario} ${row.class}`).sort()).toEqual([
      'grey cat',
      'grey object',
      'original cat',
      'original object',
    ]);
    expect(segmentation?.[0]).toMatchObject({ model: 'seg', n: 2, pooledIou: 0.5 });
    const shard = await scorePath(join(run, 'predictions', 'a.parquet'));
    expect(shard.models.map(({ model }) => model)).toEqual(['first']);
  });

  it('gives gates their rows by class', async () => {
    const rows = gateRows(await scoreRun(run, { byClass: true }));
    expect(rows.filter(({ model, scenario }) => model === 'first' && scenario === 'grey')).toHaveLength(6);
  });

  it('says of a model that it was trained on these photographs, and of one that was not, nothing', async () => {
    const data = { path: 'd', samples: 30 };
    const alarms = async (seen: number | undefined) => {
      const models = [{ name: 'first', ...(seen && { trainedOnThese: seen }) }, { name: 'second' }];
      await writeRunRecord(run, { models, scenarios: [], data });
      return (await scoreRun(run)).alarms?.filter(({ kind }) => kind === 'trained-on-these') ?? [];
    };
    expect(await alarms(30)).toMatchObject([
      { model: 'first', words: expect.stringContaining('was trained on 30 of these 30 photographs') },
    ]);
    expect(await alarms(undefined)).toEqual([]);
    await rm(join(run, 'run.json'));
  });

  it('says what is missing', async () => {
    await expect(scorePath(join(run, 'nothing'))).rejects.toThrow(/there is no such file or folder/);
    await expect(scorePath(tmpdir())).rejects.toThrow(/No predictions in/);
  });
});
