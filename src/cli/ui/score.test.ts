import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compare } from '../../metrics/compare/compare-answers.ts';
import { parseCsv } from '../../metrics/csv.ts';
import { scorePredictions } from '../../metrics/score/compute.ts';
import { toPredictions } from '../../metrics/table/predictions.ts';
import { classText } from './class-table.ts';
import { comparisonText } from './comparison-text.ts';
import { scoreText } from './score.ts';

const csv = readFileSync(new URL('../../../test/fixtures/metrics/predictions.csv', import.meta.url), 'utf8');
// Answers outside the dataset's classes, known to be right among them: the table then has its widest form.
const lines = csv.trim().split(/\r?\n/);
const wide = [
  `${lines[0]},correctOwn`,
  ...lines
    .slice(1)
    .map((line, i) => `${line.replace('random-background', 'random-background:seed=7+where=everywhere')},${i % 2}`),
].join('\n');
const predictions = toPredictions(parseCsv(wide, 'wide.csv'));

const widest = (text: string) => Math.max(...text.split('\n').map((line) => [...line].length));

describe('text for people', () => {
  const score = scorePredictions(predictions, { byClass: true });
  it.each([80, 100, 120])('fits %d columns', (width) => {
    expect(widest(scoreText(score, width))).toBeLessThanOrEqual(width);
    expect(widest(classText(score, width))).toBeLessThanOrEqual(width);
    const sides = ['first', 'second'].map((model) => ({ predictions, model }));
    expect(widest(comparisonText(compare(sides[0], sides[1]).comparison, width))).toBeLessThanOrEqual(width);
  });

  it('shows folders named by wnids by their names, and stores them as they are', () => {
    const rows = Array.from({ length: 80 }, (_, i) => {
      const [label, other] = i % 2 ? ['n01440764', 'n02123394'] : ['n02123394', 'n01440764'];
      return [`a,grey,s${i},${label},${label}`, `b,grey,s${i},${label},${i % 2 ? other : label}`];
    }).flat();
    const made = toPredictions(parseCsv(['model,scenario,sample,label,prediction', ...rows].join('\n'), 'made.csv'));
    const byClass = scorePredictions(made, { byClass: true });
    expect(byClass.models[0].classes?.map((row) => row.class)).toContain('n01440764');
    expect(classText(byClass, 100)).toContain('tench');
    const compared = comparisonText(
      compare({ predictions: made, model: 'a' }, { predictions: made, model: 'b' }).comparison,
      100,
    );
    expect(compared).toContain('tench on grey');
    expect(classText(byClass, 100) + compared).not.toContain('n01440764');
  });

  it('says the numbers and the verdicts', () => {
    const text = scoreText(score, 100);
    expect(text).toMatch(/Robustness 0\.\d{4} = 1 − \(cross 0\.\d{5}\); without sampling noise/);
    expect(text).toMatch(/is best over the shifts/);
    expect(text).toMatch(/From the background alone it names/);
  });
});
