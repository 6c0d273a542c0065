import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRunFolder } from '../../../test/support/run-folder.ts';
import { type ExportedComparison, swapSides } from '../../contracts/studio/exported-comparison.ts';
import { comparePaths } from '../../metrics/compare/compare-paths.ts';
import { exportComparisons } from './export-comparisons.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-comparisons-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('exported comparisons', () => {
  const models = ['bad', 'good', 'odd, one'];
  const right = (model: number, scenario: number, sample: number) =>
    (sample * 7 + scenario * 3 + model * 5) % 11 > 2 + scenario * model;

  it('hold what compare says of every two models, either way round', async () => {
    const run = join(home, 'run');
    await makeRunFolder(run, { models, right });
    await exportComparisons({ id: 'run', path: run }, join(home, 'site'));
    const folder = join(home, 'site', 'compare');
    expect((await readdir(folder)).sort()).toEqual(['0-1.json', '0-2.json', '1-2.json', 'models.json']);
    const named = JSON.parse(await readFile(join(folder, 'models.json'), 'utf8')) as string[];
    expect(named).toEqual(models);
    const pair = JSON.parse(await readFile(join(folder, '0-2.json'), 'utf8')) as ExportedComparison;
    expect(JSON.stringify(pair)).not.toContain(home);
    const said = async (a: string, b: string) => {
      const [{ comparison }] = await comparePaths(run, undefined, { models: `${a},${b}` });
      const { overall, scenarios, flipped, flips, notes } = comparison;
      return { overall, scenarios, flipped, flips, notes };
    };
    expect(pair).toEqual(await said('bad', 'odd, one'));
    const other = await said('odd, one', 'bad');
    const swapped = swapSides(pair);
    expect(swapped.flips).toEqual(other.flips);
    expect(swapped.scenarios.map(({ ci, p, pHolm, ...row }) => row)).toEqual(
      other.scenarios.map(({ ci, p, pHolm, ...row }) => row),
    );
    // The same resamples, turned round; quantiles are sums in another order.
    const close = (own: number, theirs: number) => expect(own).toBeCloseTo(theirs, 12);
    close(swapped.overall.difference, other.overall.difference);
    close(swapped.overall.p ?? -1, other.overall.p ?? -1);
    for (const [i, row] of swapped.scenarios.entries()) {
      close(row.pHolm, other.scenarios[i].pHolm);
      for (const end of [0, 1]) close(row.ci?.[end] ?? -1, other.scenarios[i].ci?.[end] ?? -1);
    }
    for (const end of [0, 1]) close(swapped.overall.ci?.[end] ?? -1, other.overall.ci?.[end] ?? -1);
  });

  it('are of fifteen models at most, and of none where there is one', async () => {
    const [many, one] = [join(home, 'many'), join(home, 'one')];
    const small = { scenarios: ['original', 'grey'], classes: ['cat', 'dog'], perClass: 1 };
    await makeRunFolder(many, { ...small, models: Array.from({ length: 17 }, (_, i) => `m${i}`) });
    await makeRunFolder(one, { ...small, models: ['alone'] });
    for (const path of [many, one]) await exportComparisons({ id: 'x', path }, join(path, 'site'));
    expect(await readdir(join(many, 'site', 'compare'))).toHaveLength(1 + (15 * 14) / 2);
    expect(await readdir(join(one, 'site', 'compare'))).toEqual(['models.json']);
  });
});
