import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzePath } from './analyze/analyze-path.ts';
import { comparePaths } from './compare/compare-paths.ts';
import { scorePath } from './score-run.ts';

const [rows, of] = [['a,original,0.9', 'a,grey,0.7', 'b,original,0.8', 'b,grey,0.5'], 'model,scenario,accuracy'];

describe('slips in what a table is looked at with', () => {
  let folder: string;
  let table: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slips-'));
    table = join(folder, 'table.csv');
    await writeFile(table, [of, ...rows, ''].join('\n'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    [{ bootstrap: 0.5 }, 'Expected a whole number from 20 to 100000 for --bootstrap but received 0.5'],
    [{ bootstrap: 1e12 }, 'Expected a whole number from 20 to 100000 for --bootstrap'],
    [{ seed: 1.5 }, 'Expected a whole number for --seed but received 1.5'],
    [{ margin: 5 }, 'Expected a fraction between 0 and 1 for --margin but received 5; 0.05 is five points'],
    [{ shipMargin: Number.NaN }, 'for --ship-margin but received NaN'],
    [{ mu: new Map([['c', 0.9]]) }, "Expected a model of it (a, b) for --mu but received 'c'"],
  ])('refuses %o for a score', async (options, message) => {
    await expect(scorePath(table, options)).rejects.toThrow(message);
  });

  it.each([
    [{ bootstrap: 0.5 }, 'for --bootstrap but received 0.5'],
    [{ detect: 2 }, 'Expected a fraction between 0 and 1 for --detect but received 2; 0.02 is two points'],
  ])('refuses %o for a comparison', async (options, message) => {
    await expect(comparePaths(table, table, options)).rejects.toThrow(message);
  });

  it.each([
    [{ level: 95 }, 'Expected a number between 0 and 1 for --level but received 95'],
    [{ tolerance: 5 }, 'Expected a number between 0 and 1 for --tolerance but received 5'],
    [{ replicates: -1 }, 'Expected a whole number from 0 to 100000 for --bootstrap but received -1'],
    [{ asFactor: new Set(['banana']) }, "No column 'banana' in table.csv; it has 'model', 'scenario', 'accuracy'"],
  ])('refuses %o for a regression', async (options, message) => {
    await expect(analyzePath(table, options)).rejects.toThrow(message);
  });

  it('says that a picture is no table', async () => {
    const picture = join(folder, 'picture.png');
    await writeFile(picture, Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13));
    for (const read of [scorePath, analyzePath])
      await expect(read(picture)).rejects.toThrow(/picture\.png is not a table: its bytes are not text$/);
  });
});
