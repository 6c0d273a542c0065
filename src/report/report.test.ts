import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeRunFolder } from '../../test/support/run-folder.ts';
import { buildReport } from './build.ts';
import { figuresOf, tablesOf } from './document.ts';
import { reportHtml } from './formats/html.ts';
import { writeReport } from './index.ts';
import { reportText, writeParts } from './write-files.ts';

async function made(options: Parameters<typeof makeRunFolder>[1] = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sceneshift-report-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await makeRunFolder(folder, options);
  return folder;
}

/** The run that most tests speak of, and its report: they only read it. */
let plainRun: string;
let plain: Awaited<ReturnType<typeof buildReport>>;
beforeAll(async () => {
  plainRun = await mkdtemp(join(tmpdir(), 'sceneshift-report-'));
  await makeRunFolder(plainRun);
  plain = await buildReport(plainRun);
});
afterAll(() => rm(plainRun, { recursive: true, force: true }));

const verdictOf = async (options: Parameters<typeof makeRunFolder>[1]) => {
  const [verdict] = (await buildReport(await made(options))).report.sections[0].blocks;
  return verdict.kind === 'verdict' ? verdict.sentences : [];
};

describe('the report of a run', () => {
  it('has the sections in their order, and none without data', () => {
    expect(plain.report.sections.map(({ id }) => id)).toEqual([
      'verdict',
      'scores',
      'pictures',
      'drops',
      'regression',
      'hardest',
      'method',
    ]);
  });

  describe('of what was trained on one scenario each', () => {
    const scenarios = ['original', 'blur-background', 'grey'];
    const right = (_: number, scenario: number, sample: number, trained: string) =>
      (sample * 7 + scenario) % 20 >= (scenario && trained !== scenarios[scenario] ? 8 : 2);
    const training = scenarios.flatMap((trained) =>
      [0, 1, 2].flatMap((fold) =>
        [0, 1, 2, 3].map((step) => ({
          model: 'good',
          trained,
          fold,
          part: 'curve' as const,
          step,
          strength: 10,
          lossTrain: 1 / (step + 1),
          accuracyTrain: 1 - 0.5 / (step + 1),
          lossValidation: 1.2 / (step + 1),
          accuracyValidation: 0.9 - 0.4 / (step + 1),
          chosen: true,
        })),
      ),
    );

    it('shows every head in every scenario, where it was trained, and how the training went', async () => {
      const { report, data } = await buildReport(
        await made({ scenarios, heads: scenarios, folds: 3, right, training }),
      );
      const table = (id: string) => tablesOf(report).find((candidate) => candidate.id === id);
      expect(table('training')?.rows).toHaveLength(2 * 3 * 3);
      expect(table('in-scenario')?.rows).toHaveLength(2 * 3);
      const diagonal = table('training')?.rows.filter((row) => row.trained === row.scenario) ?? [];
      expect(diagonal.map(({ top1 }) => top1)).toEqual(table('in-scenario')?.rows.map(({ accuracy }) => accuracy));
      const figures = figuresOf(report).map(({ id }) => id);
      expect(figures.filter((id) => id.startsWith('training-'))).toHaveLength(2);
      const place = 1 + (data?.models.indexOf('good') ?? Number.NaN);
      expect(figures.filter((id) => id.startsWith('curves-'))).toEqual([
        `curves-accuracy-${place}`,
        `curves-loss-${place}`,
      ]);
    });

    it('shows the robustness score with both its parts, as score gives them', async () => {
      const { report, data } = await buildReport(await made({ scenarios, heads: scenarios, folds: 3, right }));
      const rows = tablesOf(report).find(({ id }) => id === 'robustness')?.rows ?? [];
      const [{ mu, cross, inner, score }] = rows as unknown as Record<string, number>[];
      expect(score).toBeCloseTo(1 - cross - inner, 12);
      const own = data?.training[0].heads.filter(({ trained }) => trained !== 'original') ?? [];
      expect(inner).toBeCloseTo(own.reduce((sum, { accuracy }) => sum + (accuracy - mu) ** 2, 0) / own.length, 12);
      expect(reportText({ report, data }, 'md')).toContain('### The robustness score and its parts');
      expect(JSON.parse(reportText({ report, data }, 'json')).training).toHaveLength(2);
    });

    it('says what stands for the model where it is there as delivered too', async () => {
      const { report } = await buildReport(await made({ scenarios, heads: ['', ...scenarios], folds: 3, right }));
      const [text] = report.sections.find(({ id }) => id === 'training')?.blocks ?? [];
      expect(text).toMatchObject({ text: expect.stringMatching(/means as delivered/) });
      expect(tablesOf(report).find(({ id }) => id === 'training')?.rows).toHaveLength(2 * 3 * 3);
    });

    it('takes each head for what it is where none was trained on the photographs', async () => {
      const heads = ['blur-background', 'grey'];
      const { report } = await buildReport(await made({ scenarios, heads, folds: 3, right }));
      const rows = tablesOf(report).find(({ id }) => id === 'training')?.rows ?? [];
      expect(rows).toHaveLength(2 * 2 * 3);
      expect(rows.find((row) => row.trained === 'grey' && row.scenario === 'blur-background')?.top1).toBeLessThan(0.7);
      expect(rows.find((row) => row.trained === 'grey' && row.scenario === 'grey')?.top1).toBeGreaterThan(0.85);
    });
  });

  it('is one HTML file below 6 MB that asks for nothing else', async () => {
    const run = await made({ folds: 4 });
    const { report, bytes } = await writeReport(run);
    const html = await readFile(report, 'utf8');
    expect(Buffer.byteLength(html)).toBe(bytes);
    expect(bytes).toBeLessThan(6e6);
    expect(html.match(/(?:src|href)="(?!data:|#)[^"]*"/g)).toBeNull();
    expect(html).not.toMatch(/url\(|@import|<link rel="stylesheet"/);
    expect(await readdir(run)).not.toContain('.partial');
  });

  it('leaves strips of pictures out rather than grow too large', () => {
    const { report } = plain;
    const whole = reportHtml(report);
    expect(whole.match(/class="strip"/g)).toHaveLength(2);
    const smaller = reportHtml(report, { mostBytes: Buffer.byteLength(whole) - 1 });
    expect(smaller.match(/class="strip"/g)).toHaveLength(1);
    expect(reportHtml(report, { mostBytes: 1 })).not.toContain('class="strip"');
  });

  it('is the same text twice', async () => {
    expect(reportText(await buildReport(plainRun), 'html')).toBe(reportText(plain, 'html'));
  });

  it('takes names for words, whatever is in them', async () => {
    const run = await made({
      models: ['<img src=x onerror=alert(1)>', 'a_b & "c"|d'],
      classes: ['=1+1', '</template>'],
    });
    const built = await buildReport(run);
    for (const { svg } of figuresOf(built.report)) expect(svg).not.toMatch(/<img|="[^"]*<|& /);
    const html = reportText(built, 'html');
    expect(html).not.toContain('<img src=x');
    expect(html.match(/<template>/g)?.length).toBe(html.match(/<\/template>/g)?.length);
    expect(reportText(built, 'csv', { table: 'hardest-classes' })).toContain("'=1+1");
    expect(reportText(built, 'latex')).toContain('a\\_b \\& "c"$|$d');
    expect(reportText(built, 'md', { table: 'scores' })).toContain('a_b & "c"\\|d');
  });
});

describe('the verdict', () => {
  const replacing = ['original', 'paste-back', 'random-background', 'grey'];

  it('says who leans on the scene before it names the best model, what breaks it and the class to watch', async () => {
    const sentences = await verdictOf({
      scenarios: replacing,
      right: (m, s, i) => (i * 7) % 20 >= [2, 2, 2 + 12 * m, 9][s] && !(s === 2 && i === 4),
    });
    expect(sentences[0]).toMatch(/^1 of 2 models leans on the scene: bad \(60 points lost/);
    expect(sentences[1]).toMatch(/^Not settled for 1 of 2 models: good \(1\.7 points; about [\d,]+ images/);
    expect(sentences[2]).toMatch(
      /^\*\*good\*\* is best: it names 90\.0.% of the photographs as they are and 71\.7.% on average over 2 shifts/,
    );
    expect(sentences[3]).toMatch(/^What breaks good most is \*\*Greyscale\*\*: .+ points lost/);
    expect(sentences[4]).toMatch(/^Watch \*\*\w+\*\*/);
  });

  it('does not crown a model that cannot be told from the second', async () => {
    const same = (_: number, scenario: number, sample: number) => (sample + scenario) % 5 > 0;
    const all = await verdictOf({ right: (m, s, i) => (m === 1 && s === 1 && i === 3 ? false : same(m, s, i)) });
    expect(all.join(' ')).toMatch(/cannot be told from it/);
    expect(all.join(' ')).not.toMatch(/is best/);
  });

  it('says so when nothing hurts', async () => {
    const right = (_: number, __: number, sample: number) => sample % 5 > 0;
    const [leaning, , damage] = await verdictOf({ scenarios: replacing, perClass: 60, right });
    expect(leaning).toMatch(/^Both models do not lean on the scene: bad and good/);
    expect(damage).toMatch(/^None of 2 shifts is shown to hurt/);
  });

  it('does not count it against a model that it is wrong where the object is gone', async () => {
    const scenarios = ['original', 'blur-background', 'only-bg-t'];
    const said = await verdictOf({ scenarios, right: (_, s, sample) => s < 2 && (s === 0 || sample % 6 > 0) });
    expect(said.find((one) => one.startsWith('What breaks'))).toContain('Blurred background');
  });

  it('speaks of one model without a winner', async () => {
    const [leaning, alone] = await verdictOf({ models: ['only'] });
    expect(leaning).toMatch(/^Whether only leans on the scene is not settled: .*run paste-back beside it\.$/);
    expect(alone).toMatch(/^\*\*only\*\* was measured alone/);
  });

  it('speaks of a run without edits, and of one without originals', async () => {
    const bare = await verdictOf({ scenarios: ['original'], right: (m, _, i) => i % (m ? 2 : 6) > 0 });
    expect(bare[0]).toMatch(/was not measured/);
    expect(bare[1]).toMatch(
      /^\*\*good\*\* is best: it names 83\.3.% of the photographs as they are, 33\.3 points ahead of bad/,
    );
    expect(bare[2]).toMatch(/^Nothing was edited/);
    expect(bare.join(' ')).not.toMatch(/not in this run/);
    expect((await verdictOf({ scenarios: ['grey', 'segmented'] })).join(' ')).toMatch(/not in this run/);
  });

  it('is an alarm where the models guess: no best model, nothing that breaks it', async () => {
    const run = await made({ scenarios: replacing, right: (_, __, i) => i % 3 === 0 });
    const built = await buildReport(run);
    const [alarm, verdict] = built.report.sections[0].blocks;
    expect(alarm).toMatchObject({
      kind: 'alarm',
      lines: [expect.stringContaining('near the 33.3 % of guessing'), expect.anything()],
    });
    expect(JSON.stringify(verdict)).not.toMatch(/is best|What breaks|does not lean/);
    expect(reportText(built, 'html')).toContain('role="alert"');
    expect(reportText(built, 'md')).toContain('> **Warning.** bad names');
  });
});

describe('the regression', () => {
  it('shows errors, P and stars that respect the shared images, once, and does not doubt them in the next breath', () => {
    const whole = reportText(plain, 'md');
    const text = whole.slice(whole.indexOf('## What matters'), whole.indexOf('## Where to look'));
    const { analysis } = plain.data as NonNullable<typeof plain.data>;
    expect(text).not.toMatch(/not valid|as printed/);
    expect(text).toMatch(/Errors from \d+ draws of 60 images/);
    const table = tablesOf(plain.report).find(({ id }) => id === 'regression');
    for (const row of table?.rows ?? []) {
      const term = analysis?.terms.find((candidate) => candidate.term === row.term);
      expect(row.se).toBe(term?.bootstrap?.se);
      // A star, and an interval without zero, are one thing.
      if (row.p !== null) expect(row.stars === 'ns').toBe((row.low as number) <= 0 && (row.high as number) >= 0);
    }
    const chart = figuresOf(plain.report).find(({ id }) => id === 'coefficients');
    expect(chart?.data[0].low).toBe(table?.rows[1].low);
  });
});

describe('formats', () => {
  it('give every model and scenario as CSV with plain fractions', () => {
    const [header, ...rows] = reportText(plain, 'csv').trim().split('\n');
    expect(header).toBe('model,scenario,n,top1,top1Low,top1High,top1Own,drop,dropLow,dropHigh,p,pHolm');
    expect(rows).toHaveLength(8);
    expect(rows[0]).toMatch(/^good,original,60,0\.9,/);
  });

  it('give verdict, score and analysis as JSON', () => {
    const value = JSON.parse(reportText(plain, 'json'));
    expect(value.verdict.length).toBeGreaterThan(2);
    expect(value.score.models.map(({ model }: { model: string }) => model).sort()).toEqual(['bad', 'good']);
    expect(value.analysis.terms[0].term).toBe('Intercept');
    expect(value.leftOut).toEqual([{ sample: 'cat/99.jpg', problem: 'truncated', message: 'the file ends early' }]);
  });

  it('give all tables as LaTeX and the whole report as Markdown', () => {
    const tables = tablesOf(plain.report);
    expect(reportText(plain, 'latex').match(/\\begin\{tabular\}/g)).toHaveLength(tables.length);
    const markdown = reportText(plain, 'md');
    for (const { title } of tables) expect(markdown).toContain(`### ${title}`);
    expect(markdown).toContain("--data '/data/my photos'");
    expect(() => reportText(plain, 'csv', { table: 'nothing' })).toThrow(/one of scores, /);
  });

  it('write one file per table and figure into a folder', async () => {
    const parts = await mkdtemp(join(tmpdir(), 'sceneshift-report-'));
    onTestFinished(() => rm(parts, { recursive: true, force: true }));
    const files = await writeParts(plain.report, 'csv', join(parts, 'parts'));
    expect(files).toContain(join(parts, 'parts/figures/drops.svg'));
    expect(await readFile(join(parts, 'parts/tables/left-out.csv'), 'utf8')).toContain('the file is cut off');
  });
});
