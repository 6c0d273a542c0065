import { expected, UserError } from '../../contracts/errors.ts';
import { groupBy } from '../analyze/collapse.ts';
import { type ColumnTable, isMissing, type TextColumn } from '../analyze/table.ts';

/** Words renumbered without gaps: what rows are paired or resampled by. */
export interface RowCodes {
  readonly codes: Uint32Array;
  readonly count: number;
}

/** Answers of models, one per row, in columns. */
export interface Predictions {
  readonly source: string;
  readonly rowCount: number;
  readonly model: TextColumn;
  /** Scenario the head was trained on; '' for the model as delivered, without a trained head. */
  readonly trained: TextColumn;
  readonly scenario: TextColumn;
  readonly sample: TextColumn;
  readonly label: TextColumn;
  readonly prediction: TextColumn | undefined;
  /** What pairs rows of two scenarios: the source image, and the fold where an image has an answer in several. */
  readonly pairedBy: RowCodes;
  /** What is resampled: the group where groups are given, else the source image. */
  readonly cluster: RowCodes & { readonly by: 'group' | 'sample' };
  /** Every paired sample is a cluster of its own. */
  readonly single: boolean;
  readonly correct: Uint8Array;
  /** Over the dataset's own classes; 2: the source does not say. */
  readonly correctOwn: Uint8Array;
  /** NaN where missing. */
  readonly rank: Float64Array | undefined;
  readonly probability: Float64Array | undefined;
  readonly probabilityTruth: Float64Array | undefined;
  /** Models and scenarios as a run names them, whose rows lie in an order that depends on when each was finished. */
  readonly order?: { readonly models: readonly string[]; readonly scenarios: readonly string[] };
}

export const unknownAnswer = 2;
const required = ['model', 'scenario', 'sample', 'label'];

export const isPredictionsTable = (table: ColumnTable): boolean =>
  required.every((name) => table.has(name)) && (table.has('prediction') || table.has('correct'));

/** Checks the columns of a predictions table and encodes them; rows that stand there twice are an error. */
export function toPredictions(table: ColumnTable): Predictions {
  const missing = required.filter((name) => !table.has(name));
  if (!table.has('prediction') && !table.has('correct')) missing.push('prediction');
  if (missing.length > 0)
    throw new UserError(`${table.source} has no column ${missing.map((name) => `'${name}'`).join(', ')}`);
  if (table.rowCount === 0) throw expected('at least one row', table.source, 'a header alone');
  const model = named(table, 'model');
  const scenario = named(table, 'scenario');
  const sample = named(table, 'sample');
  const label = named(table, 'label');
  const trained = table.has('trained') ? normalised(table.text('trained')) : constant('', table.rowCount);
  const prediction = table.has('prediction') ? table.text('prediction') : undefined;
  const correct = readCorrect(table, label, prediction);
  const pairedBy = pairingOf(table, [model, trained, scenario], sample);
  const cluster = clustersOf(table, sample);
  return {
    source: table.source,
    rowCount: table.rowCount,
    model,
    trained,
    scenario,
    sample,
    label,
    prediction,
    pairedBy,
    cluster,
    single: pairedBy.codes === cluster.codes,
    correct,
    correctOwn: readOwn(table, label, prediction, correct),
    rank: optional(table, ['rankTruth', 'rank'], { least: 1, most: Number.POSITIVE_INFINITY, what: 'a rank from 1' }),
    probability: optional(table, ['probability'], probabilities),
    probabilityTruth: optional(table, ['probabilityTruth'], probabilities),
  };
}

function named(table: ColumnTable, name: string): TextColumn {
  const column = table.text(name);
  const empty = column.levels.findIndex((level) => level.trim() === '');
  if (empty >= 0)
    throw expected(`a ${name}`, `row ${column.codes.indexOf(empty) + 1} of ${table.source}`, 'an empty cell');
  return column;
}

const constant = (level: string, rowCount: number): TextColumn => ({
  codes: new Uint32Array(rowCount),
  levels: [level],
});

function normalised({ codes, levels }: TextColumn): TextColumn {
  const index = new Map<string, number>();
  const place = levels.map((level) => {
    const word = isMissing(level.trim()) ? '' : level;
    if (!index.has(word)) index.set(word, index.size);
    return index.get(word) as number;
  });
  return { codes: codes.map((code) => place[code]), levels: [...index.keys()] };
}

/** `correct` where the table has it, else whether prediction and label are the same word. */
function readCorrect(table: ColumnTable, label: TextColumn, prediction: TextColumn | undefined): Uint8Array {
  if (table.has('correct')) return readTruth(table, 'correct');
  const same = placeOf(prediction as TextColumn, label);
  const codes = (prediction as TextColumn).codes;
  const correct = new Uint8Array(codes.length);
  for (let i = 0; i < codes.length; i++) correct[i] = same[codes[i]] === label.codes[i] ? 1 : 0;
  return correct;
}

/** Code of each prediction among the labels; −1: none of the dataset's classes. */
function placeOf(prediction: TextColumn, label: TextColumn): number[] {
  const place = new Map(label.levels.map((level, code) => [level, code]));
  return prediction.levels.map((level) => place.get(level) ?? -1);
}

// An answer that is one of the dataset's classes stays the first among those classes, so it is right or wrong there too.
function readOwn(
  table: ColumnTable,
  label: TextColumn,
  prediction: TextColumn | undefined,
  correct: Uint8Array,
): Uint8Array {
  if (table.has('correctOwn')) return readTruth(table, 'correctOwn');
  if (!prediction) return new Uint8Array(correct.length).fill(unknownAnswer);
  const same = placeOf(prediction, label);
  const own = new Uint8Array(correct.length);
  for (let i = 0; i < own.length; i++)
    own[i] = correct[i] || same[prediction.codes[i]] >= 0 ? correct[i] : unknownAnswer;
  return own;
}

function readTruth(table: ColumnTable, name: string): Uint8Array {
  if (table.isNumeric(name)) {
    const numbers = table.numbers(name);
    const odd = numbers.findIndex((value) => value !== 0 && value !== 1);
    if (odd >= 0) throw expected('0 or 1', `column '${name}', row ${odd + 1} of ${table.source}`, numbers[odd]);
    return Uint8Array.from(numbers);
  }
  const { codes, levels } = table.text(name);
  const values = levels.map((level) => {
    const text = level.trim().toLowerCase();
    if (['1', 'true', 't', 'yes'].includes(text)) return 1;
    if (['0', 'false', 'f', 'no'].includes(text)) return 0;
    throw expected('true, false, 1 or 0', `column '${name}' of ${table.source}`, level);
  });
  return Uint8Array.from(codes, (code) => values[code]);
}

/** Single precision may end a rounding above 1. */
const probabilities = { least: -1e-6, most: 1 + 1e-6, what: 'a probability from 0 to 1' };

function optional(
  table: ColumnTable,
  names: readonly string[],
  { least, most, what }: { least: number; most: number; what: string },
): Float64Array | undefined {
  const name = names.find((candidate) => table.has(candidate));
  if (name === undefined) return undefined;
  const values = table.numbers(name);
  const odd = values.findIndex((value) => value < least || value > most);
  if (odd >= 0) throw expected(what, `column '${name}', row ${odd + 1} of ${table.source}`, values[odd]);
  return values;
}

function pairingOf(table: ColumnTable, keys: readonly TextColumn[], sample: TextColumn): RowCodes {
  const { cell } = groupBy(keys, table.rowCount);
  const first = findRepeated(cell, { codes: sample.codes, count: sample.levels.length });
  if (!first) return { codes: sample.codes, count: sample.levels.length };
  const fold = table.has('fold') ? table.text('fold') : undefined;
  const sampleInFold = fold && groupBy([sample, fold], table.rowCount);
  const codes = sampleInFold && { codes: sampleInFold.cell, count: sampleInFold.first.length };
  const still = codes ? findRepeated(cell, codes) : first;
  if (!codes || still) {
    const [a, b] = still ?? first;
    const at = keys.map(({ codes, levels }) => levels[codes[b]]);
    throw new UserError(
      `Rows ${a + 1} and ${b + 1} of ${table.source} are the same answer twice: model '${at[0]}'${at[1] ? ` trained on '${at[1]}'` : ''}, scenario '${at[2]}', sample '${sample.levels[sample.codes[b]]}'`,
    );
  }
  return codes;
}

/** Two rows of one cell with the same code, or undefined. */
function findRepeated(cell: Uint32Array, { codes, count }: RowCodes): [number, number] | undefined {
  const order = rowsByCell(cell);
  const seenIn = new Int32Array(count).fill(-1);
  const seenAt = new Uint32Array(count);
  for (const row of order.rows) {
    const code = codes[row];
    if (seenIn[code] === cell[row]) return [Math.min(seenAt[code], row), Math.max(seenAt[code], row)];
    seenIn[code] = cell[row];
    seenAt[code] = row;
  }
  return undefined;
}

/** Row numbers sorted by cell, and where each cell starts. */
export function rowsByCell(cell: Uint32Array): { rows: Uint32Array; starts: Uint32Array } {
  let count = 0;
  for (const c of cell) if (c >= count) count = c + 1;
  const starts = new Uint32Array(count + 1);
  for (const c of cell) starts[c + 1]++;
  for (let c = 0; c < count; c++) starts[c + 1] += starts[c];
  const next = starts.slice(0, count);
  const rows = new Uint32Array(cell.length);
  for (let row = 0; row < cell.length; row++) rows[next[cell[row]]++] = row;
  return { rows, starts };
}

/** The groups where they are given, else the source images. */
export function clustersOf(table: ColumnTable, sample: TextColumn): Predictions['cluster'] {
  const images = { codes: sample.codes, count: sample.levels.length, by: 'sample' as const };
  if (!table.has('group')) return images;
  const group = table.text('group');
  if (group.levels.every((level) => isMissing(level.trim()))) return images;
  // An image without a group is a group of its own.
  const known = group.levels.map((level) => !isMissing(level.trim()));
  const keys = group.codes.map((code, row) => (known[code] ? code : group.levels.length + sample.codes[row]));
  const place = new Uint32Array(group.levels.length + sample.levels.length);
  for (const key of keys) place[key] = 1;
  // Numbered by their names, not as they come: threads write rows in any order, and resampling draws by number.
  let count = 0;
  for (let key = 0; key < place.length; key++) if (place[key]) place[key] = count++;
  return { codes: keys.map((key) => place[key]), count, by: 'group' };
}
