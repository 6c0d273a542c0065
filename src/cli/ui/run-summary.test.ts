import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../metrics/csv.ts';
import { scorePredictions } from '../../metrics/score/compute.ts';
import { toPredictions } from '../../metrics/table/predictions.ts';
import { runSummaryText } from './run-summary.ts';
import { table } from './table.ts';

const all = ['original', 'paste-back', 'random-background', 'grey', 'no-fg'];
/** Every second model leans on the scene, or guesses. */
function makeScore(models: number, { guessing = false, scenarios = all } = {}) {
  const rows = Array.from({ length: models }, (_, m) => `residual-${m % 2 ? 'un' : ''}biased-${m}`).flatMap(
    (model, m) =>
      scenarios.flatMap((scenario, s) =>
        Array.from({ length: 60 }, (__, i) => {
          const right = guessing ? i % 4 === 0 : (i * 7) % 20 >= (s === 2 && m % 2 === 0 ? 12 : s + 1);
          return `${model},${scenario},s${i},${'abcd'[i % 4]},${'abcd'[(i + (right ? 0 : 1)) % 4]}`;
        }),
      ),
  );
  const csv = ['model,scenario,sample,label,prediction', ...rows].join('\n');
  return scorePredictions(toPredictions(parseCsv(csv, 'made.csv')));
}
const scores = new Map<string, ReturnType<typeof makeScore>>();
/** Several tests look at the same one. */
function scoreOf(...wanted: Parameters<typeof makeScore>) {
  const key = JSON.stringify(wanted);
  const score = scores.get(key) ?? makeScore(...wanted);
  scores.set(key, score);
  return score;
}
const lines = (text: string) => text.split('\n');
const widest = (text: string) => Math.max(...lines(text).map((line) => [...line].length));

describe('the end of a run', () => {
  it.each([1, 3, 14, 40])('is a screenful for %d models', (models) => {
    const score = scoreOf(models);
    for (const width of [80, 100, 120]) {
      const text = runSummaryText(score, width);
      expect(lines(text).length).toBeLessThanOrEqual(36);
      expect(widest(text)).toBeLessThanOrEqual(width);
    }
  });

  it('explains no column that a run of the photographs alone does not have', () => {
    expect(runSummaryText(scoreOf(1), 100)).toContain('over the shifts, worst shift');
    const text = runSummaryText(scoreOf(1, { scenarios: ['original'] }), 100);
    expect(text).toContain('as photographed. Nothing was edited');
    expect(text).not.toMatch(/shift|pasting/);
  });

  it('fits sixty columns without cutting a name', () => {
    const text = runSummaryText(scoreOf(14), 60);
    expect(widest(text)).toBeLessThanOrEqual(60);
    expect(text).not.toContain('…');
    expect(text).toMatch(/^residual-unbiased-13 +\d+\.\d +\d+\.\d +\d+\.\d +\w+ \d+ +0\.\d{4}$/m);
  });

  it('says who leans first, then one row for each model', () => {
    const text = runSummaryText(scoreOf(2), 100);
    expect(lines(text)[0]).toMatch(/^1 of 2 models leans on the scene: residual-biased-0/);
    expect(text).toMatch(/^residual-unbiased-1 .* grey /m);
  });

  it('folds the same alarm of many models into one, and praises no robustness', () => {
    const text = runSummaryText(scoreOf(14, { guessing: true }), 100);
    expect(text.match(/‼/g)).toHaveLength(1);
    expect(text).toMatch(/The same of 13 more/);
    expect(text).not.toMatch(/1\.0000/);
  });
});

describe('a table', () => {
  const columns = [
    { title: 'name', flexible: true, cell: (name: string) => name },
    { title: 'spare', spare: 1, cell: () => 'more than is needed' },
    { title: 'n', align: 'right' as const, cell: () => '100' },
  ];
  it('leaves spare columns out before it cuts a name', () => {
    expect(table(['a-long-name-of-a-model'], columns, 60)).toContain('more than');
    expect(table(['a-long-name-of-a-model'], columns, 30)).toMatch(/a-long-name-of-a-model +100/);
    expect(table(['a-long-name-of-a-model'], columns, 20)).toContain('a-long-name-of…');
  });
});
