import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openRunStore } from '../../run/folder/index.ts';
import { type Command, runCommand } from '../command.ts';
import { analyze } from './analyze.ts';

let folder: string;
const accuracy = ['model,scenario,class,accuracy,n'];
for (const [m, model] of ['A', 'B'].entries())
  for (const [s, scenario] of ['original', 'fog:severity=3+region=background', 'size:0.05'].entries())
    for (const [c, label] of ['cat', 'dog', 'fox', 'owl'].entries())
      accuracy.push(
        `${model},${scenario},${label},${(0.9 - 0.03 * m - 0.2 * (s === 1 ? 1 : 0) - 0.01 * ((m + s + c) % 3)).toFixed(3)},40`,
      );

async function call(...argv: string[]): Promise<string> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    expect(await runCommand(analyze as Command, argv)).toBe(0);
  } finally {
    write.mockRestore();
  }
  return text;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'analyze-'));
  await writeFile(join(folder, 'accuracy.csv'), `${accuracy.join('\n')}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

describe('sceneshift analyze', () => {
  const file = () => join(folder, 'accuracy.csv');

  it('prints one JSON object of the fixed shape', async () => {
    const result = JSON.parse(await call(file(), '--reference', 'scenario=fog:severity=3+region=background', '--json'));
    for (const field of 'n df terms r2 adjR2 multipleR syx rmse ss f aicc normality vif'.split(' '))
      expect(result).toHaveProperty(field);
    expect(result.terms.map(({ term }: { term: string }) => term)).toContain('scenario[original]');
    expect(Object.keys(result.terms[0])).toEqual(
      expect.arrayContaining(['term', 'estimate', 'se', 'statistic', 'p', 'stars', 'ci']),
    );
  });

  it('prints the table, what matters, words and caveats for people', async () => {
    const text = await call(file());
    expect(text).toMatch(/^accuracy ~ model \+ scenario \+ class\nleast squares · n 24 · 17 degrees of freedom/);
    expect(text).toMatch(/scenario\[fog:severity=3\+region=background\] +−0\.2/);
    expect(text).toMatch(/What matters: share of the explained variance/);
    expect(text).toMatch(/accuracy is \d+\.\d points lower than with original/);
    expect(text).toMatch(/Mind\n {2}• Rows of one data set share their images/);
  });

  it('passes its options on', async () => {
    const robust = JSON.parse(
      await call(
        file(),
        '--formula',
        'accuracy ~ model * scenario',
        '--robust',
        'hc3',
        '--compare',
        'accuracy ~ model + scenario',
        '--level',
        '0.9',
        '--json',
      ),
    );
    expect(robust.errors).toMatchObject({ kind: 'hc3', level: 0.9 });
    expect(robust.comparison.test).toMatchObject({ kind: 'F', df1: 2 });
    const binomial = JSON.parse(await call(file(), '--family', 'binomial', '--json'));
    expect(binomial).toMatchObject({ family: 'binomial', n: 24, r2: null });
    expect(binomial.deviance.converged).toBe(true);
  });

  it('reads a run folder', async () => {
    const run = join(folder, 'run');
    const store = await openRunStore(run);
    const rows = accuracy.slice(1, 13).flatMap((line, c) => {
      const [model, scenario, label] = line.split(',');
      return [0, 1, 2, 3].map((i) => ({
        model,
        scenario,
        label,
        trained: '',
        sample: `${label}/${i}`,
        group: '',
        fold: -1,
        prediction: 'x',
        probability: 0.5,
        probabilityTruth: 0.5,
        rankTruth: 1,
        correct: (i + c) % 3 > 0,
        correctOwn: true,
        condition: `${model} ${scenario}`,
        sampleHash: 's',
      }));
    });
    await store.write('predictions', rows);
    store.close();
    const result = JSON.parse(await call(run, '--json'));
    expect(result).toMatchObject({ n: 12, bootstrap: { cluster: 'sample', clusters: 16 } });
  });

  it('says in one line what is wrong', async () => {
    await expect(call(join(folder, 'none.csv'))).rejects.toThrow('there is no such file');
    await expect(call(folder)).rejects.toThrow('No predictions in');
    await expect(call(file(), '--level', '95')).rejects.toThrow('between 0 and 1');
    await expect(call(file(), '--family', 'gamma')).rejects.toThrow('one of gaussian, poisson, binomial');
    await expect(call(file(), '--reference', 'model=Z')).rejects.toThrow("No 'Z' among the values of 'model'");
  });
});
