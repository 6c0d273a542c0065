import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { makeRunFolder } from '../../../test/support/run-folder.ts';
import { overlayPath, type SaliencyIndex, type SaliencyRow } from '../../contracts/saliency.ts';
import { analyze } from '../../metrics/analyze/analyze.ts';
import { readRun } from '../../metrics/read-run.ts';
import { openRunStore } from '../../run/folder/index.ts';
import { buildReport } from '../build.ts';
import { reportHtml } from '../formats/html.ts';

const models = ['good', 'bad'];
const scenarios = ['original', 'blur-background'];
const samples = ['cat', 'dog', 'teapot'].flatMap((label) =>
  Array.from({ length: 8 }, (_, i) => ({ sample: `${label}/${i}.jpg`, label })),
);
const index: SaliencyIndex = {
  selection: { kind: 'stratified', words: '24 of 60 samples, up to 8 of each class' },
  samples: samples.map(({ sample }) => sample),
  scenarios,
  models: models.map((model) => ({ model, method: 'rise', layer: '', why: 'as asked' })),
  explained: 'truth',
  baseline: 'mean',
  steps: 32,
};
const rows = models.flatMap((model, m) =>
  scenarios.flatMap((scenario, s) =>
    samples.map(({ sample, label }, i): SaliencyRow & { condition: string; sampleHash: string } => {
      const share = 0.7 - 0.1 * m - 0.05 * s + 0.1 * Math.sin(12.9 * i + s);
      return {
        ...{ model, scenario, sample, group: '', label, method: 'rise', layer: '', explained: 'truth', class: label },
        ...{ score: 0.8, correct: (i + s) % 7 > 0, areaShare: 0.3, shareOnObject: share, energyRatio: share / 0.3 },
        ...{ reliance: 1 - share, pointing: 1, iou: 0.5, deletion: 0.1, insertion: 0.6, negativeShare: 0.1 },
        ...{
          objectShown: 1,
          evaluations: 100,
          reliability: 0.9,
          condition: `${model} ${scenario}`,
          sampleHash: sample,
        },
      };
    }),
  ),
);

async function explainedRun(): Promise<string> {
  const run = await mkdtemp(join(tmpdir(), 'sceneshift-saliency-'));
  await makeRunFolder(run, { models });
  const store = await openRunStore(run);
  await store.write('saliency', rows);
  store.close();
  await writeFile(join(run, 'saliency/index.json'), JSON.stringify(index));
  const picture = await sharp({ create: { width: 20, height: 12, channels: 3, background: '#a52' } })
    .webp()
    .toBuffer();
  for (const row of rows) {
    const file = join(run, 'saliency', overlayPath(row, 'small'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, picture);
  }
  return run;
}

describe('a run that was explained', () => {
  it('shows where the models look, and offers the measures to the regression', async () => {
    const run = await explainedRun();
    try {
      const { report } = await buildReport(run);
      const section = report.sections.find(({ id }) => id === 'saliency');
      expect(section?.title).toBe('Where the models look');
      expect(section?.blocks.map(({ kind }) => kind)).toEqual([
        ...['text', 'list', 'figures', 'table', 'table', 'text', 'strips'],
      ]);
      const table = section?.blocks.find((block) => block.kind === 'table')?.table;
      expect(table?.rows).toHaveLength(4);
      const html = reportHtml(report);
      expect(html).toContain('id="figure-saliency"');
      expect(html).toContain('data:image/webp');

      const data = await readRun(run);
      expect(data.rowCount).toBe(2 * 4 * 60);
      const fit = analyze(data, { formula: 'correct ~ model + reliance', family: 'binomial' });
      expect(fit.terms.map(({ term }) => term)).toEqual(['Intercept', 'model[good]', 'reliance']);
      expect(fit.n).toBe(rows.length);
    } finally {
      await rm(run, { recursive: true, force: true });
    }
  });
});
