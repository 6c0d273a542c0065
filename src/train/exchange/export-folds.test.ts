import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataset } from '../../../test/support/dataset.ts';
import type { Dataset } from '../../contracts/sample.ts';
import { readDataset } from '../../dataset/index.ts';
import { readCsvRows } from '../../formats/csv-rows.ts';
import { decodeImage } from '../../image/decode.ts';
import { encodeImage } from '../../image/encode.ts';
import { createRaster } from '../../image/raster.ts';
import { writeAtomic } from '../../run/atomic.ts';
import { listBackgrounds } from '../../run/list-pictures.ts';
import { type ExportOptions, exportFolds } from './export-folds.ts';

const scripts = fileURLToPath(new URL('../../../examples/pytorch', import.meta.url));
const photographs = { mode: 'corrected', flatten: [255, 255, 255], maxPixels: 1e8, border: 'ignore' } as const;

let folder: string;
let dataset: Dataset;
let plates: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-'));
  dataset = await readDataset((await makeDataset(join(folder, 'data'), { perClass: 6 })).manifest, {});
  await mkdir(join(folder, 'plates'));
  for (let i = 0; i < 6; i++) {
    const plate = createRaster(40, 40);
    plate.data.fill(40 * i + 10);
    await writeAtomic(folder, `plates/${i}.png`, await encodeImage(plate, { format: 'png' }));
  }
  plates = await listBackgrounds(join(folder, 'plates'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (name: string, more: Partial<ExportOptions> = {}) =>
  exportFolds({
    dataset,
    samples: dataset.samples,
    scenarios: ['original', 'grey', 'random-background'],
    folds: 3,
    seed: 1,
    out: join(folder, name),
    scripts,
    version: 'test',
    format: 'png',
    quality: 90,
    photographs,
    backgrounds: plates,
    threads: 1,
    maxErrors: 0.1,
    ...more,
  });

async function table(file: string): Promise<Record<string, string>[]> {
  const [header, ...rows] = readCsvRows(await readFile(file)).map(({ cells }) => cells);
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [header[i], cell])));
}

describe('folds as image folders', () => {
  it('holds every variant of every photograph once, listed with its fold, and the scripts', async () => {
    const summary = await run('whole');
    expect(summary).toMatchObject({ samples: 18, variants: 54, folds: 3, classes: ['disc', 'ring', 'square'] });
    const rows = await table(join(folder, 'whole', 'folds.csv'));
    expect(rows).toHaveLength(54);
    expect(new Set(rows.map(({ file }) => file)).size).toBe(54);
    for (const { file, scenario, label, fold } of rows) expect(file).toMatch(`fold-${fold}/${scenario}/${label}/`);
    // One fold for all the variants of a photograph, each class spread evenly.
    const foldsOf = new Map<string, Set<string>>();
    for (const { sample, fold } of rows) foldsOf.set(sample, (foldsOf.get(sample) ?? new Set()).add(fold));
    expect([...foldsOf.values()].every(({ size }) => size === 1)).toBe(true);
    for (const fold of [0, 1, 2])
      for (const label of summary.classes)
        expect(await readdir(join(folder, 'whole', `fold-${fold}`, 'grey', label))).toHaveLength(2);
    expect(await readdir(join(folder, 'whole'))).toEqual(
      ['export.json', 'fold-0', 'fold-1', 'fold-2', 'folds.csv', 'from_onnx.py', 'train.py'].sort(),
    );
    const record = JSON.parse(await readFile(join(folder, 'whole', 'export.json'), 'utf8'));
    expect(record).toMatchObject({ folds: 3, seed: 1, classes: ['disc', 'ring', 'square'], images: 54 });
  });

  it('puts no background behind images of two folds', async () => {
    await run('plated');
    const seen = new Map<number, Set<string>>();
    for (const { scenario, file, fold } of await table(join(folder, 'plated', 'folds.csv'))) {
      if (scenario !== 'random-background') continue;
      // The plates are plain, and the object never reaches the corner.
      const { data } = await decodeImage(join(folder, 'plated', file), photographs);
      seen.set(data[0], (seen.get(data[0]) ?? new Set()).add(fold));
    }
    expect(seen.size).toBeGreaterThanOrEqual(3);
    expect([...seen.keys()].every((value) => (value - 10) % 40 === 0)).toBe(true);
    expect([...seen.values()].every(({ size }) => size === 1)).toBe(true);
  });

  it('continues, and gives the same again', async () => {
    const first = await run('again');
    const before = await readFile(join(folder, 'again', 'folds.csv'), 'utf8');
    await rm(join(folder, 'again', 'fold-1', 'grey'), { recursive: true });
    const second = await run('again');
    expect([first.found, second.found]).toEqual([0, 48]);
    expect(await readFile(join(folder, 'again', 'folds.csv'), 'utf8')).toBe(before);
  });

  it('says what is missing', async () => {
    await expect(run('few', { backgrounds: plates.slice(0, 2) })).rejects.toThrow(/3 different backgrounds/);
    const discs = dataset.samples.filter(({ label }) => label === 'disc');
    await expect(run('one', { samples: discs })).rejects.toThrow(/two classes or more.*disc alone/);
    await expect(run('none', { samples: discs.map(({ label: _, ...rest }) => rest) })).rejects.toThrow(
      /none with a label/,
    );
    await expect(run('many', { folds: 19 })).rejects.toThrow(/--folds 18 or fewer/);
  });
});
