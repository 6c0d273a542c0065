import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { remedyComparisonSchema } from '../../contracts/remedies.ts';
import { compareRemedies } from './compare-remedies.ts';
import type { Outcomes, RemedyTrial } from './outcomes.ts';

type Answers = Record<string, number[]>;
interface Fixture {
  plain: Answers;
  tried: Record<string, Answers>;
  expected: Record<
    string,
    {
      p: Record<string, number>;
      pHolm: Record<string, number>;
      overall: { difference: number; ci: [number, number]; p: number; pHolm: number };
    }
  >;
}
const fixture = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/helps/helps.json', import.meta.url), 'utf8'),
) as Fixture;

const outcomes = (answers: Answers, copies = 1): Outcomes =>
  new Map(
    Object.entries(answers).map(([scenario, values]) => [
      scenario,
      new Map(
        values.flatMap((value, i) => Array.from({ length: copies }, (_, k) => [`s${i}-${k}`, value === 1] as const)),
      ),
    ]),
  );
const trials = (copies = 1): RemedyTrial[] =>
  Object.entries(fixture.tried).map(([remedy, answers]) => ({
    remedy,
    title: remedy,
    when: 'training',
    outcomes: outcomes(answers, copies),
  }));

describe('compareHelps', () => {
  const helps = compareRemedies({ model: 'm', plain: 'head', outcomes: outcomes(fixture.plain), trials: trials() });

  it('has McNemar and Holm of statsmodels, and over all scenarios the paired t of SciPy', () => {
    remedyComparisonSchema.parse(helps);
    for (const { remedy, scenarios, overall } of helps.remedies) {
      const wanted = fixture.expected[remedy];
      for (const { scenario, p, pHolm, difference, plain, remedied, ci } of scenarios) {
        expect(p).toBeCloseTo(wanted.p[scenario], 12);
        expect(pHolm).toBeCloseTo(wanted.pHolm[scenario], 12);
        expect(remedied - plain).toBeCloseTo(difference, 12);
        expect(ci && ci[0] <= difference && difference <= ci[1]).toBe(true);
      }
      expect(overall.scenarios).toBe(2);
      expect(overall.difference).toBeCloseTo(wanted.overall.difference, 12);
      expect(overall.p).toBeCloseTo(wanted.overall.p, 10);
      expect(overall.pHolm).toBeCloseTo(wanted.overall.pHolm, 10);
      expect(overall.ci?.[0]).toBeCloseTo(wanted.overall.ci[0], 8);
      expect(overall.ci?.[1]).toBeCloseTo(wanted.overall.ci[1], 8);
    }
  });

  it('says what helps', () => {
    expect(helps.remedies.map(({ remedy, verdict }) => [remedy, verdict])).toEqual([
      ['mix', 'helps'],
      ['crop-object', 'unclear'],
    ]);
    expect(helps.words[0]).toMatch(/^Helps, over all scenarios, in points: mix \(\+/);
  });

  it('is no surer for copies of the same picture in one group', () => {
    const copied = compareRemedies({
      model: 'm',
      plain: 'head',
      outcomes: outcomes(fixture.plain, 3),
      trials: trials(3),
      groupOf: (sample) => sample.split('-')[0],
    });
    expect(copied.clusters).toEqual({ by: 'group', count: 80 });
    for (const [i, { overall }] of copied.remedies.entries())
      expect(overall.p).toBeCloseTo(helps.remedies[i].overall.p as number, 10);
  });

  it('compares what both have, and says so', () => {
    const [mix] = trials();
    const part = new Map(
      [...mix.outcomes].map(([scenario, own]) => [scenario, new Map([...own].slice(0, 50))] as const),
    );
    const found = compareRemedies({
      model: 'm',
      plain: 'head',
      outcomes: outcomes(fixture.plain),
      trials: [{ ...mix, outcomes: part }],
    });
    expect(found.remedies[0].scenarios.map(({ pairs }) => pairs)).toEqual([50, 50, 50, 50]);
    expect(found.notes).toEqual([
      'Up to 30 samples of a scenario could not be shown so (no mask, say): mix. Only what both have is compared.',
    ]);
  });
});
