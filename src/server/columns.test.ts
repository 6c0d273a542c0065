import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRunFolder } from '../../test/support/run-folder.ts';
import type { RunColumns } from '../contracts/explore/columns.ts';
import {
  type Filter,
  filterFromQuery,
  filterToQuery,
  groupings,
  places,
  sortings,
} from '../contracts/explore/filter.ts';
import { prepareMatch } from '../contracts/explore/match.ts';
import { packColumns, unpackColumns } from '../contracts/explore/pack.ts';
import { selectVariants } from '../contracts/explore/select.ts';
import { crossTally, tallyFacets } from '../contracts/explore/tally.ts';
import { readColumns } from './columns-reader.ts';

let home: string;
let columns: RunColumns;
let query: (sql: string) => Promise<unknown[][]>;

const models = ['bad', 'good', 'odd'];
const scenarios = ['original', 'blur-background', 'random-background', 'size:0.05'];
const classes = ['cat', 'dog', "tea'pot"];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-columns-'));
  await makeRunFolder(home, {
    models,
    scenarios,
    classes,
    perClass: 9,
    folds: 3,
    right: (model, scenario, sample) => (sample * 7 + scenario * 3 + model * 5) % 11 > 2 + scenario * model,
  });
  // A shard that a kill left twice.
  const folder = join(home, 'predictions');
  const [first] = await readdir(folder);
  await copyFile(join(folder, first), join(folder, `copy-${first}`));
  columns = await readColumns(home);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE p AS SELECT DISTINCT * FROM read_parquet('${folder}/*.parquet')`);
  await connection.run(
    `CREATE TABLE r AS SELECT p.*, o.correct AS was, o.prediction AS said FROM p LEFT JOIN p o ON o.model = p.model AND o.sample = p.sample AND o.scenario = 'original'`,
  );
  query = async (sql) => (await connection.runAndReadAll(sql)).getRowsJS() as unknown[][];
  return () => {
    connection.closeSync();
    instance.closeSync();
  };
});
afterAll(() => rm(home, { recursive: true, force: true }));

const some = (names: readonly string[]) => fc.option(fc.subarray([...names], { minLength: 1 }), { nil: undefined });
const filters: fc.Arbitrary<Filter> = fc.record({
  model: some(models),
  scenario: some(scenarios),
  class: some(classes),
  answered: some(classes),
  fold: fc.option(fc.subarray([0, 1, 2], { minLength: 1 }), { nil: undefined }),
  outcome: fc.constantFrom(undefined, 'right' as const, 'wrong' as const),
  flip: fc.constantFrom(undefined, 'lost' as const, 'gained' as const, 'changed' as const),
  confidence: fc.constantFrom(undefined, [0.5, 1] as [number, number], [0, 0.5] as [number, number]),
  sample: fc.constantFrom(undefined, 'cat', '=dog/3.jpg', '7'),
});

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const among = (column: string, values: readonly (string | number)[] | undefined) =>
  values ? [`${column} IN (${values.map((v) => (typeof v === 'number' ? v : quote(v))).join(', ')})`] : [];

/** The same question in SQL, for the rows. */
function where(
  { model, scenario, class: label, answered, fold, outcome, flip, confidence, sample }: Filter,
  but?: string,
) {
  const flips = { lost: 'was AND NOT correct', gained: 'NOT was AND correct', changed: 'said <> prediction' };
  const conditions: Record<string, string[]> = {
    model: among('model', model),
    scenario: among('scenario', scenario),
    class: among('label', label),
    answered: among('prediction', answered),
    fold: among('fold', fold),
    outcome: outcome ? [outcome === 'right' ? 'correct' : 'NOT correct'] : [],
    flip: flip ? [flips[flip]] : [],
    confidence: confidence ? [`probability BETWEEN ${confidence[0]} AND ${confidence[1]}`] : [],
    sample: sample
      ? [sample.startsWith('=') ? `sample = ${quote(sample.slice(1))}` : `contains(sample, ${quote(sample)})`]
      : [],
  };
  const all = Object.entries(conditions).flatMap(([key, parts]) => (key === but ? [] : parts));
  return all.length ? all.map((part) => `(${part})`).join(' AND ') : 'true';
}

describe('questions over columns', () => {
  it('find what DuckDB finds, in any combination of filters', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const match = prepareMatch(columns, filter);
        const found = selectVariants(columns, match, { sort: 'name', group: 'none' });
        const shown = [...found.order].map(
          (v) => `${columns.samples[columns.variantSample[v]]} ${columns.scenarios[columns.variantScenario[v]]}`,
        );
        const expected = await query(
          `SELECT sample || ' ' || scenario AS v, count(*)::INTEGER, sum((NOT correct)::INTEGER)::INTEGER FROM r WHERE ${where(filter)} GROUP BY v`,
        );
        expect(shown.sort()).toEqual(expected.map(([v]) => v as string).sort());
        expect([found.answers, found.wrong]).toEqual(
          [1, 2].map((i) => expected.reduce((sum, row) => sum + (row[i] as number), 0)),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('count every choice under the other filters', async () => {
    const columnOf = {
      model: 'model',
      scenario: 'scenario',
      class: 'label',
      answered: 'prediction',
      fold: 'fold::VARCHAR',
    } as const;
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom(...(Object.keys(columnOf) as (keyof typeof columnOf)[])),
        async (filter, facet) => {
          const counted = tallyFacets(columns, prepareMatch(columns, filter))[facet].filter(({ answers }) => answers);
          const expected = await query(
            `SELECT ${columnOf[facet]} AS name, count(*)::INTEGER, sum((NOT correct)::INTEGER)::INTEGER FROM r WHERE ${where(filter, facet)} GROUP BY name`,
          );
          const sorted = (rows: unknown[][]) => rows.map((row) => row.join(' ')).sort();
          expect(sorted(counted.map(({ name, answers, wrong }) => [name, answers, wrong]))).toEqual(sorted(expected));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('cross two axes', async () => {
    const crossed = crossTally(columns, prepareMatch(columns, { outcome: 'wrong' }), ['class', 'answered']);
    const expected = await query('SELECT label, prediction, count(*)::INTEGER FROM r WHERE NOT correct GROUP BY ALL');
    const cell = (a: string, b: string) =>
      crossed.answers[crossed.rows.indexOf(a) * crossed.columns.length + crossed.columns.indexOf(b)];
    for (const [label, answer, n] of expected) expect(cell(label as string, answer as string)).toBe(n);
    expect(crossed.answers.reduce((a, b) => a + b, 0)).toBe(expected.reduce((sum, row) => sum + (row[2] as number), 0));
  });

  it.each(groupings)('put the variants that most models fail first, grouped by %s', (group) => {
    const { order, groups } = selectVariants(columns, prepareMatch(columns, {}), { sort: 'fails', group });
    const fails = [...order].map((v) => {
      let wrong = 0;
      for (let row = columns.rowStart[v]; row < columns.rowStart[v + 1]; row++)
        wrong += 1 - (columns.rowFlags[row] & 1);
      return wrong;
    });
    let at = 0;
    for (const { count, wrong, name } of groups) {
      const part = fails.slice(at, at + count);
      expect(part).toEqual([...part].sort((a, b) => b - a));
      expect(
        part.reduce((a, b) => a + b, 0),
        name,
      ).toBe(wrong);
      at += count;
    }
    expect(at).toBe(order.length);
    expect(new Set(order).size).toBe(order.length);
  });

  it('know the object’s place and size only where there is a mask', () => {
    expect(
      selectVariants(columns, prepareMatch(columns, { size: [0, 1] }), { sort: 'name', group: 'none' }).order,
    ).toHaveLength(0);
    columns.facts.size[0] = 0.2;
    columns.facts.x[0] = 0.9;
    columns.facts.y[0] = 0.1;
    const at = (filter: Filter) =>
      selectVariants(columns, prepareMatch(columns, filter), { sort: 'name', group: 'none' }).order.length;
    expect(at({ size: [0.1, 0.3] })).toBe(4);
    expect(at({ size: [0.3, 0.4] })).toBe(0);
    expect(at({ place: ['top right'] })).toBe(4);
    expect(at({ place: places.filter((place) => place !== 'top right') as never })).toBe(0);
  });

  it.each([
    { labelled: ['n01440764', 'n04398044'], shown: ['tench', 'teapot'] },
    { labelled: ['n04398044', 'teapot'], shown: ['n04398044', 'teapot'] },
  ])('show $labelled as $shown', async ({ labelled, shown }) => {
    const folder = join(home, labelled.join('-'));
    await makeRunFolder(folder, { classes: labelled, perClass: 2 });
    const { labels, answers } = await readColumns(folder);
    expect(labels).toEqual(shown);
    expect(answers).toEqual(shown);
  });

  it('give the same answers from packed columns', () => {
    const { buffer } = packColumns(columns);
    const unpacked = unpackColumns(buffer as ArrayBuffer);
    expect(unpacked).toEqual(columns);
    expect(() => unpackColumns(new TextEncoder().encode('\u000d\0\0\0{"version":2}').buffer as ArrayBuffer)).toThrow(
      'version 2',
    );
  });

  it('are the same after a journey through an address', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
        expect(filterFromQuery(new URLSearchParams(filterToQuery(filter)))).toEqual(given);
      }),
    );
    expect(() => filterFromQuery(new URLSearchParams('outcome=maybe'))).toThrow();
    expect(() => filterFromQuery(new URLSearchParams('confidence=0.2-7'))).toThrow();
    expect(sortings).toContain('fails');
  });
});
