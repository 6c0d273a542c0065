import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomFor } from '../stats/random.ts';
import { type FitOptions, fitRows, type LabelledRows, predictHead, prepareRows, toHead } from './head.ts';
import { minimise } from './lbfgs.ts';
import { softmaxProblem } from './softmax.ts';
import { chooseStrength } from './strength.ts';

interface Case {
  readonly name: string;
  readonly n: number;
  readonly d: number;
  readonly strength: number;
  readonly features: number[];
  readonly labels: number[];
  readonly objective: number;
  readonly loss: number;
  readonly predictions: number[];
  readonly probabilities: number[][];
}

const { cases } = JSON.parse(
  readFileSync(new URL('../../test/fixtures/train/heads.json', import.meta.url), 'utf8'),
) as { cases: Case[] };

const labelled = ({ n, d, features, labels }: Case): LabelledRows => ({
  data: Float32Array.from(features),
  n,
  d,
  classes: Int32Array.from(labels),
  c: Math.max(...labels) + 1,
});

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

function fitHead(set: LabelledRows, rows: number[], options: FitOptions) {
  const prepared = prepareRows(set, rows);
  return toHead(prepared, fitRows(prepared, options).point, options.strength);
}

describe('heads equal scikit-learn’s LogisticRegression', () => {
  it.each(cases)('$name', (given) => {
    const set = labelled(given);
    const rows = prepareRows(set, upTo(given.n));
    const fitted = fitRows(rows, { strength: given.strength, tolerance: 1e-10 });
    const scores = predictHead(toHead(rows, fitted.point, given.strength), set, upTo(given.n));
    const probabilities = softmax(scores, set.c);
    const loss = -given.labels.reduce((sum, label, i) => sum + Math.log(probabilities[i][label]), 0) / given.n;
    expect(Math.abs(loss - given.loss)).toBeLessThan(1e-6);
    // Theirs is the sum, ours the mean. Both stop short of the minimum, ours no higher than theirs by more than this.
    const objective = fitted.objective * given.strength * given.n;
    expect(objective).toBeLessThan(given.objective + 1e-7 * Math.max(1, given.objective));
    expect(probabilities.map((row) => row.indexOf(Math.max(...row)))).toEqual(given.predictions);
    const off = probabilities.flatMap((row, i) => row.map((p, k) => Math.abs(p - given.probabilities[i][k])));
    expect(Math.max(...off)).toBeLessThan(1e-4);
  });
});

describe('a fitted head', () => {
  const wide = cases.find(({ name }) => name.includes('12 classes')) as Case;

  it('gives the same bits twice', () => {
    const set = labelled(wide);
    const once = () => fitHead(set, upTo(wide.n), { strength: 0.1 });
    expect(once()).toEqual(once());
  });

  it('knows nothing of a class its rows lack', () => {
    const set = labelled(wide);
    const rows = upTo(wide.n).filter((i) => wide.labels[i] !== 5);
    const head = fitHead(set, rows, { strength: 0.1 });
    expect(head.intercepts[5]).toBe(Number.NEGATIVE_INFINITY);
    const scores = predictHead(head, set, upTo(wide.n));
    expect(upTo(wide.n).every((i) => scores[i * set.c + 5] === Number.NEGATIVE_INFINITY)).toBe(true);
    expect(upTo(wide.n).every((i) => Number.isFinite(scores[i * set.c]))).toBe(true);
  });

  it('comes to the same weights in the row space and in the full one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const random = randomFor('row space', seed);
        const [n, d, c] = [9, 6, 3];
        const data = Float32Array.from({ length: n * d }, () => random.normal());
        const classes = Int32Array.from({ length: n }, (_, i) => i % c);
        // The same features three times over, divided by √3, give the same problem in 18 > 9 dimensions.
        const tripled = Float32Array.from(
          { length: n * 3 * d },
          (_, at) => data[Math.floor(at / (3 * d)) * d + (at % d)],
        );
        const tall = { data, n, d, classes, c };
        const wideSet = { data: tripled, n, d: 3 * d, classes, c };
        const rows = upTo(n);
        const a = predictHead(fitHead(tall, rows, { strength: 3, tolerance: 1e-11 }), tall, rows);
        const b = predictHead(fitHead(wideSet, rows, { strength: 1, tolerance: 1e-11 }), wideSet, rows);
        // Weights spread over three copies are three times as cheap.
        for (const [i, score] of a.entries()) expect(b[i]).toBeCloseTo(score, 5);
      }),
      { numRuns: 20 },
    );
  });

  it('follows its curve down to the loss it ends with', () => {
    const set = labelled(wide);
    const points: { step: number; train: { loss: number } }[] = [];
    const training = upTo(48);
    const rows = prepareRows(set, training);
    const validation = upTo(wide.n).slice(48);
    const { train, iterations } = fitRows(rows, { strength: 0.1, curve: { points: points as never, set, validation } });
    expect(points.map(({ step }) => step)).toEqual(upTo(iterations + 1));
    expect(points[0].train.loss).toBeCloseTo(Math.log(rows.present.length), 12);
    expect(points.at(-1)?.train).toEqual(train);
  });
});

it('comes to the same minimum where the preconditioner sees some of the rows only', () => {
  const given = cases.find(({ name }) => name === 'tall, 3 classes') as Case;
  const { space, classes, present } = prepareRows(labelled(given), upTo(given.n));
  const c = present.length;
  const minimum = (mostProducts?: number) => {
    const point = new Float64Array(c * space.r + c);
    const penalty = 1 / (given.strength * given.n);
    return minimise(softmaxProblem({ space, classes, c, penalty, point, mostProducts }), { tolerance: 1e-10 });
  };
  expect(minimum(1).value).toBeCloseTo(minimum().value, 12);
  expect(minimum(1).iterations).not.toBe(minimum().iterations);
});

describe('chooseStrength', () => {
  it('prefers a strong penalty for noise and a weak one for a clear pattern', () => {
    const random = randomFor('strength');
    const [n, d] = [120, 10];
    const classes = Int32Array.from({ length: n }, (_, i) => i % 2);
    const make = (signal: number) => ({
      data: Float32Array.from(
        { length: n * d },
        (_, at) => random.normal() + (at % d === 0 ? signal * classes[Math.floor(at / d)] : 0),
      ),
      n,
      d,
      classes,
      c: 2,
    });
    const split = { training: upTo(80), validation: upTo(n).slice(80) };
    const noise = chooseStrength(make(0), split);
    const clear = chooseStrength(make(8), split);
    expect(noise.strength).toBeLessThan(clear.strength);
    const best = Math.min(...clear.path.map(({ validation }) => validation.loss));
    expect(clear.path.find(({ strength }) => strength === clear.strength)?.validation.loss).toBe(best);
  });
});

function softmax(scores: Float64Array, c: number): number[][] {
  return Array.from({ length: scores.length / c }, (_, i) => {
    const row = Array.from(scores.subarray(i * c, (i + 1) * c));
    const largest = Math.max(...row);
    const exps = row.map((score) => Math.exp(score - largest));
    const sum = exps.reduce((a, b) => a + b, 0);
    return exps.map((value) => value / sum);
  });
}
