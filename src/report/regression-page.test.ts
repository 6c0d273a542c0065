import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseReferences } from '../metrics/analyze/options.ts';
import { type Figure, figuresOf, tablesOf } from './document.ts';
import { regressionPage } from './regression-page.ts';
import { besideTable } from './tables/beside.ts';

const example = (name: string) =>
  fileURLToPath(new URL(`../../examples/ximagenet-12-regression/${name}`, import.meta.url));

describe('the page on the regression of XIMAGENET-12 (supplement, Fig. 8–10)', () => {
  const page = () =>
    regressionPage(example('accuracy.csv'), {
      formula: 'accuracy ~ model + scenario + class',
      references: parseReferences(['model=EfficientNetB0,scenario=Original,class=0']),
      order: 'row',
      beside: example('printed.csv'),
    });

  it('gives every printed digit of every coefficient', async () => {
    const beside = tablesOf(await page()).find(({ id }) => id === 'beside');
    expect(beside?.rows).toHaveLength(24);
    expect(beside?.rows.filter(({ same }) => same !== 'yes')).toEqual([]);
    const lines = readFileSync(example('printed.csv'), 'utf8').trim().split('\n');
    expect(beside?.rows.map(({ term }) => term)).toEqual(lines.slice(1).map((line) => line.split(',')[0]));
  });

  it('has the four residual plots, of all 540 rows', async () => {
    const figures = new Map(figuresOf(await page()).map((figure) => [figure.id, figure]));
    for (const id of ['residual-predicted', 'residual-size', 'residual-qq', 'residual-order'])
      expect((figures.get(id) as Figure).data).toHaveLength(540);
  });
});

describe('printed values beside fitted ones', () => {
  const term = {
    term: 'x',
    estimate: 0.12345,
    se: 0.1,
    statistic: -1.2345,
    p: 0.00004,
    stars: '****' as const,
    ci: [-0.1, 0.2] as [number, number],
  };
  const printed = {
    term: 'x',
    estimate: '0.123',
    se: '0.10',
    low: '-0.1',
    high: '0.2',
    t: '1.23',
    p: '<0.0001',
    stars: '****',
  };
  const same = (row: Partial<typeof printed>) => besideTable({ terms: [term] }, [{ ...printed, ...row }]).rows[0].same;

  it('agree to the printed digits, and only then', () => {
    expect(same({})).toBe('yes');
    expect(same({ estimate: '0.1235' })).toBe('yes');
    for (const row of [
      { estimate: '-0.123' },
      { estimate: '0.1234' },
      { low: '0.1' },
      { p: '0.0001' },
      { stars: '***' },
      { term: 'y' },
    ])
      expect(same(row)).toBe('no');
  });
});
