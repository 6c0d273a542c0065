import { basename, dirname, extname, isAbsolute, relative, resolve } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { nearest } from '../../contracts/nearest.ts';
import { type MaskSource, maskSourceSchema, type Sample } from '../../contracts/sample.ts';
import { readCsvRows } from '../../formats/csv-rows.ts';
import { defineReader, type ReaderResult, type ReadProblem } from '../define.ts';
import { readHead, readText } from '../files.ts';

const columns = ['image', 'mask', 'label', 'target', 'split', 'group', 'scenario', 'sample', 'box'] as const;
type Column = (typeof columns)[number];
/** One line: cells of a CSV are text, fields of a JSON line may be numbers, lists or objects. */
type Row = Partial<Record<Column, unknown>>;

interface Line {
  readonly line: number;
  readonly row: Row;
  readonly damaged?: string;
}

const names = ['manifest.csv', 'manifest.tsv', 'manifest.jsonl'];
const isTable = (path: string) => /^\.(csv|tsv|jsonl|ndjson)$/i.test(extname(path));
const isJsonLines = (path: string) => /^\.(jsonl|ndjson)$/i.test(extname(path));

/** `image`, and optionally `mask`, `label`, `target`, `split`, `group`; `scenario` and `sample` as `render` writes them. */
export const manifest = defineReader({
  id: 'manifest',
  title: 'Manifest',
  listsFiles: true,
  explicit: true,
  looksLike: 'FILE.csv, .tsv or .jsonl with a column image (or a folder with manifest.csv or manifest.jsonl)',
  async detect({ path, isFile, listing }) {
    const file = isFile ? path : resolve(path, names.find((name) => listing.files.includes(name)) ?? '');
    if (!isTable(file)) return 0;
    const head = await readHead(file);
    return isJsonLines(file)
      ? /"image"\s*:/.test(head)
        ? 1
        : 0.5
      : /(^|[,;\t"])image(["\s,;\t]|$)/im.test(head)
        ? 1
        : 0.5;
  },
  async read({ path, isFile, listing }) {
    const file = isFile ? path : resolve(path, names.find((name) => listing.files.includes(name)) ?? names[0]);
    const { rows, notes } = await readRows(file);
    return { ...toSamples(rows, file), notes };
  },
});

async function readRows(file: string): Promise<{ rows: Line[]; notes: string[] }> {
  const text = await readText(file);
  const name = basename(file);
  if (isJsonLines(file)) {
    const lines = text.split(/\r?\n/);
    const rows = lines.flatMap((line, i): Line[] => {
      if (!line.trim()) return [];
      try {
        const row: unknown = JSON.parse(line);
        if (typeof row === 'object' && row !== null && !Array.isArray(row)) return [{ line: i + 1, row: row as Row }];
      } catch {
        // Said below, with its line.
      }
      return [{ line: i + 1, row: {}, damaged: 'it is not a JSON object' }];
    });
    const fields = new Set(rows.flatMap(({ row }) => Object.keys(row)));
    return { rows, notes: checkColumns([...fields], name, rows.length > 0 && rows.every(({ damaged }) => !damaged)) };
  }
  const [header, ...lines] = readCsvRows(text, { source: name, ...(/\.tsv$/i.test(file) && { delimiter: '\t' }) });
  const titles = (header?.cells ?? []).map((title) => title.trim().toLowerCase());
  const notes = checkColumns(titles, name, true);
  const rows = lines.map(({ line, cells, damaged }) => ({
    line,
    row: Object.fromEntries(titles.map((title, i) => [title, cells[i] ?? ''])) as Row,
    ...(damaged !== undefined
      ? { damaged }
      : cells.length > titles.length && { damaged: `it has ${cells.length} cells, the header ${titles.length}` }),
  }));
  return { rows, notes };
}

function checkColumns(found: readonly string[], name: string, required: boolean): string[] {
  if (required && !found.includes('image')) {
    const near = found.find((title) => nearest(title, ['image']));
    throw new UserError(
      `Expected a column 'image' in ${name} but found ${found.map((title) => `'${title}'`).join(', ') || 'none'}${near ? `; rename '${near}'` : ''}`,
    );
  }
  const unknown = found.filter((title) => title && !columns.includes(title as Column));
  return unknown.map((title) => {
    const near = nearest(title, columns);
    return `column '${title}' is not used${near && !found.includes(near) ? `; is it '${near}'?` : ''}`;
  });
}

function toSamples(rows: Line[], file: string): ReaderResult {
  const folder = dirname(file);
  const samples: Sample[] = [];
  const problems: ReadProblem[] = [];
  for (const { line, row, damaged } of rows) {
    const where = `${basename(file)}, line ${line}`;
    const refuse = (message: string) =>
      problems.push({ sample: String(row.image ?? where), file, problem: 'other', message: `${where}: ${message}` });
    if (damaged) {
      refuse(damaged);
      continue;
    }
    if (typeof row.image !== 'string' || !row.image) {
      refuse('no image is named');
      continue;
    }
    try {
      samples.push(toSample(row, row.image, folder));
    } catch (error) {
      refuse((error as Error).message);
    }
  }
  return { samples, problems };
}

function toSample(row: Row, imageText: string, folder: string): Sample {
  const image = resolvePath(imageText, folder);
  const targets = parseTargets(row.target);
  const mask = parseMask(row.mask, folder);
  const text = (value: unknown) => (value === undefined || value === null || value === '' ? undefined : String(value));
  const scenario = text(row.scenario);
  return {
    id: text(row.sample) ?? relative(folder, image).replaceAll('\\', '/'),
    image,
    ...(text(row.label) !== undefined && { label: text(row.label) }),
    ...(targets && { targets }),
    ...(text(row.split) !== undefined && { split: text(row.split) }),
    ...(text(row.group) !== undefined && { group: text(row.group) }),
    ...(mask && { mask }),
    ...(row.box !== undefined && row.box !== '' && { box: parseBox(row.box) }),
    ...(scenario && scenario !== 'original' && { scenario }),
  };
}

/** Paths are relative to the manifest; one written on Windows has backslashes alone. */
function resolvePath(text: string, folder: string): string {
  const path = text.includes('/') || process.platform === 'win32' ? text : text.replaceAll('\\', '/');
  return isAbsolute(path) ? path : resolve(folder, path);
}

function parseTargets(value: unknown): number[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const parts = Array.isArray(value) ? value : typeof value === 'number' ? [value] : String(value).split('|');
  return parts.map((part) => {
    const number = typeof part === 'number' ? part : Number(String(part).trim() || Number.NaN);
    if (!Number.isInteger(number) || number < 0)
      throw new Error(`target '${part}' is not an output index (a whole number, or several joined by |)`);
    return number;
  });
}

function parseMask(value: unknown, folder: string): MaskSource | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return { kind: 'file', path: resolvePath(value, folder) };
  const parsed = maskSourceSchema.safeParse(value);
  if (!parsed.success) throw new Error('mask is neither a path nor { kind: polygons | rle | alpha | file, … }');
  const source = parsed.data;
  return source.kind === 'file' ? { ...source, path: resolvePath(source.path, folder) } : source;
}

function parseBox(value: unknown): [number, number, number, number] {
  const parts = (Array.isArray(value) ? value : String(value).split(/[\s|,]+/)).map(Number);
  if (parts.length !== 4 || parts.some((part) => !Number.isFinite(part)))
    throw new Error(`box '${String(value)}' is not x, y, width, height in pixels`);
  return parts as [number, number, number, number];
}
