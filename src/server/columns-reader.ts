import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { UserError } from '../contracts/errors.ts';
import { markFlips, noFacts, type RunColumns, rowFlag } from '../contracts/explore/columns.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import { answerShards, fromParquet, openDuckDb } from '../run/folder/index.ts';

/** Columns of words that are stored as codes. */
const words = ['model', 'scenario', 'sample', 'label', 'prediction'] as const;
type Levels = Record<(typeof words)[number], string[]>;

/** The answers of a run as columns of small numbers; DuckDB reads and encodes them and is closed again. */
export async function readColumns(
  run: string,
  files?: readonly string[],
  { threads }: { threads?: number } = {},
): Promise<RunColumns> {
  const shards = files ?? (await answerShards(run));
  if (!shards.length) throw new UserError(`No answers in ${run} yet`);
  const { connection, close } = await openDuckDb({ threads, isApart: true });
  try {
    await connection.run("SET memory_limit = '500MB'");
    // The rows are sorted below, whatever order they come in; without one of its own DuckDB reads them a quarter faster.
    await connection.run('SET preserve_insertion_order = false');
    // Read twice, first for the words and then for their codes: held as a table, millions of words took half a gigabyte.
    await connection.run(`CREATE VIEW p AS
      SELECT CASE WHEN trained = '' THEN model ELSE model || ' (trained on ' || trained || ')' END AS model,
        scenario, sample, coalesce(label, '') AS label, coalesce(prediction, '') AS prediction, coalesce(fold, -1)::SMALLINT AS fold, coalesce(probability, 'NaN')::FLOAT AS probability, correct::UTINYINT AS correct
      FROM ${fromParquet(shards)}`);
    const lists = words.map((word) => `list(DISTINCT ${word}) AS ${word}`).join(', ');
    await connection.run(`CREATE TABLE levels AS SELECT count(*)::INTEGER AS count, ${lists} FROM p`);
    const levels = {} as Levels;
    for (const word of words) levels[word] = await encode(connection, word);
    return gather(levels, await readCodes(connection));
  } finally {
    close();
  }
}

/** Makes an enum type of the column's words, whose codes are small numbers in the order of the words returned. */
async function encode(connection: DuckDBConnection, word: string): Promise<string[]> {
  await connection.run(
    `CREATE TYPE code_${word} AS ENUM (SELECT word FROM (SELECT unnest(${word}) AS word FROM levels) WHERE word IS NOT NULL ORDER BY 1)`,
  );
  const result = await connection.runAndReadAll(`SELECT unnest(enum_range(NULL::code_${word}))::VARCHAR`);
  return result.getRowsJS().map(([level]) => String(level));
}

/** As small as what is kept of them, since all lie in memory at once. */
type Column = Uint8Array | Int16Array | Uint16Array | Int32Array | Float32Array;
interface Codes {
  readonly model: Uint16Array;
  readonly scenario: Uint16Array;
  readonly sample: Int32Array;
  readonly label: Uint16Array;
  readonly prediction: Uint16Array;
  readonly fold: Int16Array;
  readonly correct: Uint8Array;
  readonly probability: Float32Array;
  readonly rows: number;
}

async function readCodes(connection: DuckDBConnection): Promise<Codes> {
  const counted = await connection.runAndReadAll('SELECT count FROM levels');
  const rows = counted.getRowsJS()[0][0] as number;
  const codes = words.map((word) => `enum_code(${word}::code_${word})::${word === 'sample' ? 'INTEGER' : 'USMALLINT'}`);
  const result = await connection.stream(`SELECT ${codes.join(', ')}, fold, correct, probability FROM p`);
  const [model, scenario, label, prediction] = Array.from({ length: 4 }, () => new Uint16Array(rows));
  const [sample, fold, correct] = [new Int32Array(rows), new Int16Array(rows), new Uint8Array(rows)];
  const probability = new Float32Array(rows);
  const inOrder: Column[] = [model, scenario, sample, label, prediction, fold, correct, probability];
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const [i, column] of inOrder.entries()) copyColumn(chunk, i, column, at);
    at += chunk.rowCount;
  }
  return { model, scenario, sample, label, prediction, fold, correct, probability, rows };
}

function copyColumn(chunk: DuckDBDataChunk, index: number, into: Column, at: number): void {
  const vector = chunk.getColumnVector(index);
  // The numbers lie in one array; asking for each by itself takes ten times as long for millions of them.
  const { items } = vector as unknown as { items?: Column };
  if (items) into.set(items.subarray(0, chunk.rowCount), at);
  else for (let i = 0; i < chunk.rowCount; i++) into[at + i] = vector.getItem(i) as number;
}

/** Sorts the rows by variant in linear time; a row that a killed run left twice counts once. */
function gather(levels: Levels, codes: Codes): RunColumns {
  const scenarios = orderScenarios(levels.scenario);
  const place = levels.scenario.map((name) => scenarios.indexOf(name));
  const width = scenarios.length;
  const perVariant = new Uint32Array(levels.sample.length * width + 1);
  for (let row = 0; row < codes.rows; row++) perVariant[codes.sample[row] * width + place[codes.scenario[row]] + 1]++;
  const present: number[] = [];
  for (let v = 1; v < perVariant.length; v++) if (perVariant[v]) present.push(v - 1);
  for (let v = 1; v < perVariant.length; v++) perVariant[v] += perVariant[v - 1];
  const sorted = new Uint32Array(codes.rows);
  const next = perVariant.slice();
  for (let row = 0; row < codes.rows; row++)
    sorted[next[codes.sample[row] * width + place[codes.scenario[row]]]++] = row;

  const sampleLabel = new Uint16Array(levels.sample.length);
  const rowStart = new Uint32Array(present.length + 1);
  const kept = new Uint32Array(codes.rows);
  let count = 0;
  const key = (row: number) => codes.model[row] * 65536 + codes.fold[row];
  for (const [v, cell] of present.entries()) {
    rowStart[v] = count;
    const rows = sorted.subarray(perVariant[cell], perVariant[cell + 1]);
    if (!isAscending(rows, key)) rows.sort((a, b) => key(a) - key(b));
    for (let i = 0; i < rows.length; i++) if (!i || key(rows[i]) !== key(rows[i - 1])) kept[count++] = rows[i];
    sampleLabel[Math.floor(cell / width)] = codes.label[rows[0]];
  }
  rowStart[present.length] = count;
  const pick = <T extends Uint16Array | Int16Array | Float32Array>(into: T, from: Column): T => {
    for (let i = 0; i < count; i++) into[i] = from[kept[i]];
    return into;
  };
  const rowFlags = new Uint8Array(count);
  for (let i = 0; i < count; i++) rowFlags[i] = codes.correct[kept[i]] === 1 ? rowFlag.correct : 0;
  const columns: RunColumns = {
    models: levels.model,
    scenarios,
    labels: shownLabels(levels.label),
    answers: shownLabels(levels.prediction),
    samples: levels.sample,
    sampleLabel,
    facts: noFacts(levels.sample.length),
    variantSample: Uint32Array.from(present, (cell) => Math.floor(cell / width)),
    variantScenario: Uint16Array.from(present, (cell) => cell % width),
    rowStart,
    rowModel: pick(new Uint16Array(count), codes.model),
    rowAnswer: pick(new Uint16Array(count), codes.prediction),
    rowProbability: pick(new Float32Array(count), codes.probability),
    rowFold: pick(new Int16Array(count), codes.fold),
    rowFlags,
  };
  markFlips(columns);
  return columns;
}

/** The studio is for people: wnids are shown by their names, unless that gave two classes one name. */
function shownLabels(labels: string[]): string[] {
  const shown = labels.map(shownLabel);
  return new Set(shown).size === labels.length ? shown : labels;
}

function isAscending(rows: Uint32Array, key: (row: number) => number): boolean {
  for (let i = 1; i < rows.length; i++) if (key(rows[i]) <= key(rows[i - 1])) return false;
  return true;
}

/** The original first: everything else is seen against it. */
const orderScenarios = (names: readonly string[]): string[] =>
  [...names].sort((a, b) => Number(b === 'original') - Number(a === 'original') || (a < b ? -1 : 1));
