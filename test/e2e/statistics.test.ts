import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sceneshift, temporaryFolder } from '../support/cli.ts';

const published = JSON.parse(
  await readFile(new URL('../fixtures/metrics/published-tables.json', import.meta.url), 'utf8'),
);

/** Two models over 60 images; the second loses every fifth image of `grey`. */
async function writePredictions(folder: string): Promise<string> {
  const rows = ['model,scenario,sample,label,prediction'];
  for (const model of ['steady', 'shaky']) {
    for (const scenario of ['original', 'grey', 'size:0.05']) {
      for (let i = 0; i < 60; i++) {
        const wrong = i % 12 === 0 || (model === 'shaky' && scenario === 'grey' && i % 5 === 1);
        rows.push(`${model},${scenario},${i}.jpg,class-${i % 3},class-${wrong ? 9 : i % 3}`);
      }
    }
  }
  const path = join(folder, 'predictions.csv');
  await writeFile(path, `${rows.join('\n')}\n`);
  return path;
}

describe('the statistics', () => {
  it("give XIMAGENET-12's scores from its published tables", async () => {
    const { EX1, EX2 } = published.ximagenet12 as Record<'EX1' | 'EX2', Record<string, Record<string, number>>>;
    const models = ['ResNet50', 'VGG-16', 'DenseNet121', 'ViT', 'Swin'];
    const rows = models.flatMap((model) => [
      ...Object.entries(EX1[model]).map(([scenario, top1]) => `${model},${scenario},${top1 / 100},`),
      ...Object.entries(EX2[model]).map(([scenario, top1]) => `${model},${scenario},${top1 / 100},${scenario}`),
    ]);
    const path = join(temporaryFolder(), 'tables.csv');
    await writeFile(path, `model,scenario,accuracy,trained\n${rows.join('\n')}\n`);
    const mu = models.flatMap((model) => ['--mu', `${model}=0.9527`]);
    const { stdout, status } = await sceneshift(['score', path, ...mu, '--json']);
    expect(status).toBe(0);
    const scores = JSON.parse(stdout).models.map(({ robustness }: { robustness: { score: number } }) =>
      robustness.score.toFixed(4),
    );
    expect(scores).toEqual(['0.8865', '0.8464', '0.9182', '0.7723', '0.7384']);
  });

  it('score, analyze and compare one file of predictions', async () => {
    const path = await writePredictions(temporaryFolder());
    const score = JSON.parse((await sceneshift(['score', path, '--json'])).stdout);
    const shaky = score.models.find(({ model }: { model: string }) => model === 'shaky');
    const grey = shaky.scenarios.find(({ scenario }: { scenario: string }) => scenario === 'grey');
    // Of the twelve images with i % 5 = 1 one (36) is wrong in every scenario: eleven are lost. P by scipy.stats.binomtest(0, 11).
    expect(grey).toMatchObject({ n: 60, drop: expect.closeTo(11 / 60, 12), p: expect.closeTo(0.0009765625, 12) });

    const analysis = JSON.parse(
      (
        await sceneshift([
          'analyze',
          path,
          '--formula',
          'accuracy ~ model + scenario',
          '--reference',
          'model=steady,scenario=original',
          '--json',
        ])
      ).stdout,
    );
    expect(analysis.terms.map(({ term }: { term: string }) => term)).toEqual([
      'Intercept',
      'model[shaky]',
      'scenario[grey]',
      'scenario[size:0.05]',
    ]);
    expect(analysis).toMatchObject({ n: 18, df: 14 });

    const compared = await sceneshift(['compare', path, '--models', 'steady,shaky', '--json']);
    expect(compared.status).toBe(0);
    expect(compared.stdout).toContain('grey');
  });

  it('answer a wrong column with one line', async () => {
    const path = join(temporaryFolder(), 'odd.csv');
    await writeFile(path, 'model,scene,accuracy\na,b,0.5\n');
    for (const command of [
      ['score', path],
      ['analyze', path, '--formula', 'accuracy ~ scenario'],
    ]) {
      const { status, stderr, stdout } = await sceneshift(command);
      expect(status).toBe(2);
      expect(stdout).toBe('');
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain('scenario');
    }
  });
});
