import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreementWithInterval, cohenKappa, fleissKappa, krippendorffAlpha, type Ratings } from './agreement.ts';
import { randomFor } from './random.ts';

const fromCounts = (counts: number[][]): Ratings =>
  counts.map((row) => row.flatMap((count, category) => new Array<string>(count).fill(String(category))));

const fromTable = (cells: [string, string, number][]): Ratings =>
  cells.flatMap(([a, b, count]) => Array.from({ length: count }, () => [a, b]));

// Fleiss (1971)'s form of table: ten subjects, fourteen raters, five categories; κ = 0.210 (the usual worked example).
const fourteenRaters = fromCounts([
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
]);

// Krippendorff (2011, Computing Krippendorff's alpha-reliability, C): four observers, twelve units, α nominal = 0.743.
const missing = null;
const observers = [
  ['1', '2', '3', '3', '2', '1', '4', '1', '2', missing, missing, missing],
  ['1', '2', '3', '3', '2', '2', '4', '1', '2', '5', missing, '3'],
  [missing, '3', '3', '3', '2', '3', '4', '2', '2', '5', '1', missing],
  ['1', '2', '3', '3', '2', '4', '4', '1', '2', '5', '1', missing],
];
const twelveUnits: Ratings = Array.from({ length: 12 }, (_, unit) => observers.map((answers) => answers[unit]));

describe('published worked examples', () => {
  it("Cohen's κ of 50 proposals read by two (20, 5, 10, 15): 0.4", () => {
    const ratings = fromTable([
      ['yes', 'yes', 20],
      ['yes', 'no', 5],
      ['no', 'yes', 10],
      ['no', 'no', 15],
    ]);
    expect(cohenKappa(0, 1)(ratings)).toBeCloseTo(0.4, 12);
  });

  it("Cohen's κ where two tables agree alike but differ in their margins: 0.1304 and 0.2593", () => {
    const uneven = (a: number, b: number, c: number, d: number) =>
      cohenKappa(
        0,
        1,
      )(
        fromTable([
          ['yes', 'yes', a],
          ['yes', 'no', b],
          ['no', 'yes', c],
          ['no', 'no', d],
        ]),
      );
    expect(uneven(45, 15, 25, 15)).toBeCloseTo(0.1304, 4);
    expect(uneven(25, 35, 5, 35)).toBeCloseTo(0.2593, 4);
  });

  it("Fleiss' κ of fourteen raters: 0.210", () => {
    expect(fleissKappa(fourteenRaters)).toBeCloseTo(0.21, 3);
  });

  it("Krippendorff's α of four observers with missing answers: 0.743", () => {
    expect(krippendorffAlpha(twelveUnits)).toBeCloseTo(0.743, 3);
  });

  it("Krippendorff's α of two observers and ten units, two answers: 0.095", () => {
    // The same source, A: observer Meg against Owen.
    const meg = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
    const owen = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0];
    expect(krippendorffAlpha(meg.map((answer, i) => [String(answer), String(owen[i])]))).toBeCloseTo(0.095, 3);
  });
});

describe('what must hold', () => {
  const anyRatings = fc.array(fc.array(fc.constantFrom('yes', 'no', 'unsure'), { minLength: 3, maxLength: 3 }), {
    minLength: 4,
    maxLength: 30,
  });

  it('does not depend on the order of items or reviewers', () => {
    fc.assert(
      fc.property(anyRatings, (ratings) => {
        const turned = [...ratings].reverse().map((row) => [...row].reverse());
        for (const statistic of [fleissKappa, krippendorffAlpha]) {
          const [a, b] = [statistic(ratings), statistic(turned)];
          expect(Number.isNaN(a) ? Number.isNaN(b) : Math.abs(a - b) < 1e-12).toBe(true);
        }
      }),
    );
  });

  it('a weight of two is the item twice', () => {
    const twice = [...twelveUnits, twelveUnits[2], twelveUnits[5]];
    const weights = twelveUnits.map((_, i) => (i === 2 || i === 5 ? 2 : 1));
    expect(krippendorffAlpha(twelveUnits, weights)).toBeCloseTo(krippendorffAlpha(twice), 12);
  });

  it('is one where all agree on items that differ, and unknown where there is one answer only', () => {
    expect(
      fleissKappa([
        ['a', 'a'],
        ['b', 'b'],
      ]),
    ).toBe(1);
    expect(
      fleissKappa([
        ['a', 'a'],
        ['a', 'a'],
      ]),
    ).toBeNaN();
    expect(
      krippendorffAlpha([
        ['a', null],
        [null, 'b'],
      ]),
    ).toBeNaN();
  });

  it('the interval holds the estimate and narrows with more items', () => {
    const many = Array.from({ length: 8 }, () => fourteenRaters).flat();
    const few = agreementWithInterval(fourteenRaters, fleissKappa, { random: randomFor('agreement') });
    const wide = agreementWithInterval(many, fleissKappa, { random: randomFor('agreement') });
    expect(few.ci[0]).toBeLessThan(few.estimate);
    expect(few.ci[1]).toBeGreaterThan(few.estimate);
    expect(wide.ci[1] - wide.ci[0]).toBeLessThan(few.ci[1] - few.ci[0]);
  });
});
