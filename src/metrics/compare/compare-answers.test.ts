import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { comparisonSchema } from '../../contracts/comparison.ts';
import { parseCsv } from '../csv.ts';
import { toPredictions } from '../table/predictions.ts';
import { compare } from './compare-answers.ts';

const csv = readFileSync(new URL('../../../test/fixtures/metrics/predictions.csv', import.meta.url), 'utf8');
const predictions = toPredictions(parseCsv(csv, 'predictions.csv'));
const side = (model: string, of = predictions) => ({ predictions: of, model });

describe('compare', () => {
  const { comparison, flips } = compare(side('first'), side('second'));

  it('has the shape it promises', () => {
    expect(comparisonSchema.parse(comparison)).toEqual(comparison);
  });

  it('counts what turned, B minus A', () => {
    for (const row of comparison.scenarios) {
      expect(row.difference).toBeCloseTo(row.b - row.a, 12);
      expect(row.difference).toBeCloseTo((row.gained - row.lost) / row.pairs, 12);
      expect(row.ci?.[0]).toBeLessThan(row.difference);
      expect(row.ci?.[1]).toBeGreaterThan(row.difference);
      const own = flips.filter(({ scenario }) => scenario === row.scenario);
      expect(own.filter(({ change }) => change === 'gained')).toHaveLength(row.gained);
      expect(own.filter(({ change }) => change === 'lost')).toHaveLength(row.lost);
    }
    expect(comparison.scenarios.find(({ scenario }) => scenario === 'grey')?.pairs).toBe(88);
    expect(comparison.notes.join()).toMatch(/lacks samples/);
    for (const { change, label, a, b } of flips) expect(change === 'gained' ? b : a).toBe(label);
  });

  it('turns round with its sides', () => {
    const back = compare(side('second'), side('first')).comparison;
    expect(back.overall.difference).toBeCloseTo(-comparison.overall.difference, 12);
    for (const row of back.scenarios) {
      const other = comparison.scenarios.find(({ scenario }) => scenario === row.scenario);
      expect(row.difference).toBeCloseTo(-(other?.difference ?? Number.NaN), 12);
      expect(row.p).toBe(other?.p);
      expect(row.gained).toBe(other?.lost);
    }
  });

  it('finds nothing between a table and itself, and does not call that certain', () => {
    const shuffled = csv.trim().split('\n');
    const again = toPredictions(parseCsv([shuffled[0], ...shuffled.slice(1).reverse()].join('\n'), 'again.csv'));
    const same = compare(side('first'), side('first', again)).comparison;
    expect(same.flipped).toBe(0);
    expect(same.overall.difference).toBe(0);
    expect(same.overall.ci?.[1]).toBeGreaterThan(0);
    expect(same.robustness?.difference).toBe(0);
    for (const { pairs, ci, p } of same.scenarios) {
      expect(pairs).toBe(96);
      expect(p).toBe(1);
      expect(ci?.[0]).toBeLessThan(0);
      expect(ci?.[1]).toBeGreaterThan(0);
    }
  });

  it('finds the same pictures under another folder', () => {
    const moved = toPredictions(parseCsv(csv.replaceAll(',img', ',../photos/set/img'), 'moved.csv'));
    const same = compare(side('first'), side('first', moved)).comparison;
    expect(same.flipped).toBe(0);
    expect(same.scenarios[0].pairs).toBe(96);
    expect(same.notes).toEqual(['Samples are matched by the last part of their paths.']);
    const other = toPredictions(parseCsv(csv.replaceAll(',img', ',other'), 'other.csv'));
    expect(() => compare(side('first'), side('first', other))).toThrow(/no sample in common/);
  });

  it('names the one scenario in which a side lacks samples', () => {
    const lines = csv.split('\n');
    const lacking = lines.findIndex((line) => line.startsWith('second,grey,'));
    const fewer = toPredictions(parseCsv(lines.filter((_, i) => i !== lacking).join('\n'), 'fewer.csv'));
    expect(compare(side('first', fewer), side('second', fewer)).comparison.notes).toEqual([
      'In grey one side lacks samples; the differences use those of both.',
    ]);
  });

  it('asks for more images the smaller the difference', () => {
    const images = (detect: number) =>
      compare(side('first'), side('second'), { detect }).comparison.power.scenarios.map(
        ({ images }) => images as number,
      );
    const [small, large] = [images(0.02), images(0.1)];
    for (const [i, n] of small.entries()) expect(n).toBeGreaterThan(4 * large[i]);
  });
});
