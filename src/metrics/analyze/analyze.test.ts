import { describe, expect, it } from 'vitest';
import reference from '../../../test/fixtures/stats/regression.json' with { type: 'json' };
import { parseCsv } from '../csv.ts';
import { analyze } from './analyze.ts';
import { type AnalyzeOptions, parseReferences } from './options.ts';

interface Expected {
  kind: 'gaussian' | 'poisson' | 'binomial';
  formula: string;
  reference: string;
  weights: string | null;
  csv: string;
  names: string[];
  estimate: number[];
  se: number[];
  statistic: number[];
  p: number[];
  n: number;
  df: number;
  terms: string[];
  anovaDf: number[];
  anovaSs: (number | null)[];
  anovaP: (number | null)[];
  [more: string]: unknown;
}
const sets = reference.sets as unknown as Record<string, Expected>;

const run = (set: Expected, more: AnalyzeOptions = {}) =>
  analyze(parseCsv(set.csv), {
    formula: set.formula,
    references: parseReferences([set.reference]),
    family: set.kind,
    weights: set.weights ?? undefined,
    ...more,
  });

/** Largest relative error; where the truth is zero, absolute. */
function worst(actual: readonly (number | null | undefined)[], expected: readonly (number | null)[]): number {
  expect(actual.length).toBe(expected.length);
  return Math.max(
    0,
    ...expected.map((truth, i) => {
      if (truth === null) return 0;
      const value = actual[i] ?? Number.NaN;
      return truth === 0 ? Math.abs(value) : Math.abs(value / truth - 1);
    }),
  );
}

describe('agrees with R', () => {
  for (const [name, set] of Object.entries(sets)) {
    // R itself loses digits where columns are nearly alike: 1e-5 in the design is 1e-10 in its estimates.
    const limit = name === 'collinear' ? 1e-9 : 1e-10;
    it(`${name}: ${set.formula}`, () => {
      const result = run(set);
      // No NaN and no infinity: they would be null in --json.
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      expect(result.terms.map(({ term }) => term)).toEqual(set.names);
      expect(result.n).toBe(set.n);
      expect(result.df).toBe(set.df);
      const get = (key: 'estimate' | 'se' | 'statistic' | 'p') =>
        worst(
          result.terms.map((term) => term[key]),
          set[key],
        );
      expect(get('estimate')).toBeLessThan(limit);
      expect(get('se')).toBeLessThan(limit);
      expect(get('statistic')).toBeLessThan(limit);
      expect(get('p')).toBeLessThan(100 * limit);
      const tested = result.anova.filter((_, i) => (set.anovaDf[i] ?? 0) > 0);
      const known = set.anovaDf.map((_, i) => i).filter((i) => set.anovaDf[i] > 0);
      expect(tested.map(({ df }) => df)).toEqual(known.map((i) => set.anovaDf[i]));
      // R subtracts two residual sums here.
      expect(
        worst(
          tested.map((row) => (set.kind === 'gaussian' ? row.ss : row.statistic)),
          known.map((i) => set.anovaSs[i]),
        ),
      ).toBeLessThan(1e-7);
      expect(
        worst(
          tested.map(({ p }) => p),
          known.map((i) => set.anovaP[i]),
        ),
      ).toBeLessThan(1e-6);
      if (set.gvif) {
        expect(
          worst(
            Object.values(result.vif).map(({ gvif }) => gvif),
            set.gvif as number[],
          ),
        ).toBeLessThan(1e-7);
        expect(
          worst(
            Object.values(result.vif).map(({ adjusted }) => adjusted),
            set.adjusted as number[],
          ),
        ).toBeLessThan(1e-8);
      }
      if (set.kind === 'gaussian') checkGaussian(result, set, limit);
      else {
        expect(
          worst([result.deviance?.residual, result.deviance?.null, result.deviance?.aic], [
            set.deviance,
            set.nullDeviance,
            set.aic,
          ] as number[]),
        ).toBeLessThan(1e-11);
        expect(result.deviance?.converged).toBe(true);
      }
    });
  }
});

describe('errors', () => {
  it('HC3 agrees with R and statsmodels', () => {
    const checked = Object.values(sets).filter((set) => set.hc3);
    expect(checked.length).toBeGreaterThan(8);
    for (const set of checked) {
      const result = run(set, { robust: 'hc3' });
      expect(
        worst(
          result.terms.map(({ se }) => se),
          set.hc3 as number[],
        ),
      ).toBeLessThan(1e-7);
      expect(result.errors).toMatchObject({ kind: 'hc3', distribution: 't', df: set.df });
    }
  });

  it.each(['unbalanced', 'logit'])('clustered errors agree with statsmodels: %s', (name) => {
    const { by, se, p } = sets[name].cluster as { by: string; se: number[]; p: number[] };
    const result = run(sets[name], { cluster: by });
    expect(
      worst(
        result.terms.map((term) => term.se),
        se,
      ),
    ).toBeLessThan(1e-8);
    expect(
      worst(
        result.terms.map((term) => term.p),
        p,
      ),
    ).toBeLessThan(1e-6);
    expect(result.errors).toMatchObject({ kind: 'cluster', by });
  });

  it('at leverage 1 HC3 is withheld from what that row alone decides, and from nothing else', () => {
    const csv = 'y,g,x\n1,a,1\n2,a,2\n4,a,3\n3,b,1\n5,b,2.5\n6,b,4\n9,only,2\n';
    const result = analyze(parseCsv(csv), { formula: 'y ~ g + x', robust: 'hc3' });
    const without = analyze(parseCsv(csv.replace('9,only,2\n', '')), { formula: 'y ~ g + x', robust: 'hc3' });
    expect(result.terms.map(({ term, se }) => [term, se === null])).toEqual([
      ['Intercept', false],
      ['g[b]', false],
      ['g[only]', true],
      ['x', false],
    ]);
    expect(result.terms[3].se).toBeCloseTo(without.terms[2].se ?? 0, 12);
    expect(result.notes.join()).toMatch(/HC3 does not exist for g\[only\]/);
  });

  it('robust and clustered are not mixed, and need what they need', () => {
    const set = sets.unbalanced;
    expect(() => run(set, { robust: 'hc3', cluster: 'class' })).toThrow('--robust or --cluster');
    expect(() => run(set, { cluster: 'camera' })).toThrow("No column 'camera'");
    expect(() => run(sets.logit, { robust: 'hc3' })).toThrow('--cluster');
  });
});

describe('comparing models', () => {
  const set = sets.unbalanced;

  it('tests nested formulas by F, as the type II table does for the last term', () => {
    const result = run(set, { compare: 'accuracy ~ model + scenario + class' });
    const size = result.anova.find(({ term }) => term === 'size');
    expect(result.comparison?.test).toMatchObject({ kind: 'F', df1: 1, df2: set.df });
    expect(result.comparison?.test?.statistic).toBeCloseTo(size?.statistic ?? 0, 9);
    expect(result.comparison?.test?.p).toBeCloseTo(size?.p ?? 0, 12);
    const other = run(set, { formula: 'accuracy ~ model + scenario + class' });
    expect(result.comparison?.deltaAicc).toBeCloseTo((other.aicc ?? 0) - (result.aicc ?? 0), 9);
    const turned = run(set, { formula: 'accuracy ~ model + scenario + class', compare: set.formula });
    expect(turned.comparison?.test?.p).toBeCloseTo(size?.p ?? 0, 12);
  });

  it('gives AICc alone where neither holds the other', () => {
    const result = run(set, { formula: 'accuracy ~ model', compare: 'accuracy ~ scenario' });
    expect(result.comparison?.test).toBeNull();
    expect(result.comparison?.deltaAicc).not.toBeNull();
  });

  it('uses the deviance for counts', () => {
    const result = run(sets.poisson, { compare: 'errors ~ model' });
    const scenario = result.anova.find(({ term }) => term === 'scenario');
    expect(result.comparison?.test).toMatchObject({ kind: 'χ²', df1: 2, df2: null });
    expect(result.comparison?.test?.statistic).toBeCloseTo(scenario?.statistic ?? 0, 9);
  });
});

describe('references', () => {
  it('make a column of numbers a factor, are ignored where not needed, and must exist', () => {
    const table = parseCsv('y,g,h\n1,0,a\n2,0,b\n4,1,a\n5,1,b\n3,2,a\n7,2,b\n');
    const result = analyze(table, { formula: 'y ~ g', references: parseReferences(['g=1,h=b']) });
    expect(result.terms.map(({ term }) => term)).toEqual(['Intercept', 'g[0]', 'g[2]']);
    expect(result.notes.join()).toMatch(/reference h=b was not needed/);
    expect(() => analyze(table, { formula: 'y ~ g', references: parseReferences(['z=1']) })).toThrow(
      'a factor of the formula',
    );
  });
});

describe('what cannot be fitted', () => {
  it('is refused in one line', () => {
    const few = parseCsv('y,a,b\n1,2,3\n2,3,1\n');
    expect(() => analyze(few, { formula: 'y ~ a + b' })).toThrow('2 rows cannot give 3 coefficients');
    expect(() => analyze(few)).toThrow(
      'Expected a formula for --formula but received nothing; the table has the columns y, a, b',
    );
    expect(() => analyze(few, { formula: 'z ~ a' })).toThrow("No column 'z'");
    expect(() => analyze(parseCsv('y,a\nNA,1\n,2\n'), { formula: 'y ~ a' })).toThrow('No row');
    expect(() => analyze(few, { formula: 'y ~ a', family: 'binomial' })).toThrow('0 and 1');
    expect(() => analyze(parseCsv('y,a\n-1,1\n2,2\n'), { formula: 'y ~ a', family: 'poisson' })).toThrow(
      'counts of zero or more',
    );
    expect(() => analyze(parseCsv('y,a\n0.5,1\n0.2,2\n'), { formula: 'y ~ a', family: 'binomial' })).toThrow(
      'number of trials',
    );
    expect(() => analyze(parseCsv('y,a,w\n1,1,1\n2,2,-1\n'), { formula: 'y ~ a', weights: 'w' })).toThrow(
      'weights of zero or more',
    );
  });

  it('saturated and exact fits say so instead of dividing by zero', () => {
    const saturated = analyze(parseCsv('y,a\n1,2\n2,4\n'), { formula: 'y ~ a' });
    expect(saturated.df).toBe(0);
    expect(saturated.terms[1]).toMatchObject({ estimate: 0.5, se: null, p: null });
    const exact = analyze(parseCsv('y,a\n1,2\n2,4\n3,6\n4,8\n'), { formula: 'y ~ a' });
    expect(exact.terms[1]).toMatchObject({ se: 0, statistic: null, p: null });
    expect(exact.caveats[0]).toMatch(/exact/);
    expect(JSON.stringify(exact, (_, value) => (Number.isNaN(value) ? 'NaN' : value))).not.toContain('NaN');
  });

  it('rows with missing values are left out and counted', () => {
    const result = analyze(parseCsv('y,a,g\n1,2,u\n2,,u\n4,3,NA\n3,5,v\n5,4,u\nNA,1,v\n6,8,v\n'), {
      formula: 'y ~ a + g',
    });
    expect(result.n).toBe(4);
    expect(result.notes[0]).toMatch(/^3 of 7 rows were left out/);
  });
});

function checkGaussian(result: ReturnType<typeof analyze>, set: Expected, limit: number) {
  expect(result.aliased).toEqual(set.aliased);
  expect(
    worst(
      result.terms.map(({ ci }) => ci?.[0]),
      set.low as number[],
    ),
  ).toBeLessThan(10 * limit);
  expect(
    worst(
      result.terms.map(({ ci }) => ci?.[1]),
      set.high as number[],
    ),
  ).toBeLessThan(10 * limit);
  expect(
    worst([result.r2, result.adjR2, result.syx, result.rmse, result.aicc], [
      set.r2,
      set.adjR2,
      set.syx,
      set.rmse,
      set.aicc,
    ] as number[]),
  ).toBeLessThan(1e-9);
  expect(result.multipleR).toBeCloseTo(Math.sqrt(set.r2 as number), 10);
  expect(worst([result.ss?.model, result.ss?.residual, result.ss?.total], set.ss as number[])).toBeLessThan(1e-8);
  expect(worst([result.f?.statistic, result.f?.df1, result.f?.df2, result.f?.p], set.f as number[])).toBeLessThan(1e-7);
  const correlations = result.correlation?.matrix.flat() ?? [];
  for (const [i, truth] of (set.correlation as number[]).entries())
    expect(Math.abs((correlations[i] ?? Number.NaN) - truth)).toBeLessThan(1e-8);
  expect(
    worst([result.breuschPagan?.statistic, result.breuschPagan?.df, result.breuschPagan?.p], set.bp as number[]),
  ).toBeLessThan(1e-6);
  expect(
    worst([result.normality?.shapiro.statistic, result.normality?.shapiro.p], set.shapiro as number[]),
  ).toBeLessThan(1e-6);
  const cooks = set.cooks as (number | null)[];
  if (cooks.every((value) => value !== null))
    expect(worst(result.influence?.slice(0, 3).map((row) => row.cooks) ?? [], cooks)).toBeLessThan(1e-6);
  if (set.lmg) expect(worst(result.shares?.map(({ share }) => share) ?? [], set.lmg as number[])).toBeLessThan(1e-7);
  if (set.dagostino) {
    expect(
      worst([result.normality?.dagostino.statistic, result.normality?.dagostino.p], set.dagostino as number[]),
    ).toBeLessThan(1e-8);
    expect(
      worst([result.normality?.anderson.statistic, result.normality?.anderson.p], set.anderson as number[]),
    ).toBeLessThan(1e-8);
  }
}
