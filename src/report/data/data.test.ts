import { describe, expect, it } from 'vitest';
import { tableFrom } from '../../metrics/analyze/table.ts';
import { answersFrom } from '../../metrics/answers/answer-columns.ts';
import { commonConfusions } from '../../metrics/answers/common-confusions.ts';
import { foldCells } from '../../metrics/answers/fold-cells.ts';
import { classCells, hardestClasses } from '../../metrics/answers/hardest-classes.ts';
import { lostSamples } from '../../metrics/answers/lost-samples.ts';
import { repeatCommand, repeatYaml } from '../repeat-command.ts';
import { preprocessingWords } from '../tables/models.ts';

const rows = `
a original s1 cat cat 0
a original s2 cat cat 1
a original s3 dog fox 0
a grey s1 cat fox 0
a grey s2 cat fox 1
a grey s3 dog fox 0
b original s1 cat cat 0
b original s2 cat dog 1
b original s3 dog wolf 0
b grey s1 cat cat 0
b grey s2 cat fox 1
b grey s3 dog dog 0`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));
const column = (i: number) => rows.map((row) => row[i]);
const answers = answersFrom(
  tableFrom({
    model: column(0),
    scenario: column(1),
    sample: column(2),
    label: column(3),
    prediction: column(4),
    fold: Float64Array.from(column(5), Number),
    correct: Float64Array.from(rows, (row) => (row[3] === row[4] ? 1 : 0)),
  }),
);

describe('what the answers say', () => {
  it('folders named by wnids appear by their names', () => {
    const named = answersFrom(
      tableFrom({
        model: ['a', 'a'],
        scenario: ['original', 'original'],
        sample: ['s1', 's2'],
        label: ['n01440764', 'n01440764'],
        prediction: ['n02123394', 'n01440764'],
        correct: Float64Array.from([0, 1]),
      }),
    );
    expect(classCells(named)).toMatchObject([{ class: 'tench' }]);
    expect(commonConfusions(named)).toMatchObject([{ label: 'tench', prediction: 'Persian cat' }]);
    expect(lostSamples(named)).toMatchObject([{ label: 'tench', seenAs: 'Persian cat' }]);
  });

  it('hardest classes, all models together, with the worst scenario', () => {
    expect(hardestClasses(classCells(answers))).toEqual([
      { class: 'cat', n: 2, original: 0.75, edited: 0.25, worstScenario: 'grey', worst: 0.25 },
      { class: 'dog', n: 1, original: 0, edited: 0.5, worstScenario: 'grey', worst: 0.5 },
    ]);
  });

  it('confusions by scenario, the most common first', () => {
    expect(commonConfusions(answers, { perScenario: 1 })).toEqual([
      { scenario: 'original', label: 'cat', prediction: 'dog', count: 1, share: 0.25 },
      { scenario: 'grey', label: 'cat', prediction: 'fox', count: 3, share: 0.75 },
    ]);
  });

  it('samples lost by every model, not those that one model gets', () => {
    expect(lostSamples(answers)).toEqual([
      { sample: 's2', label: 'cat', lost: 1, scenarios: 2, originalRight: true, seenAs: 'fox' },
      { sample: 's3', label: 'dog', lost: 1, scenarios: 2, originalRight: false, seenAs: 'fox' },
    ]);
  });

  it('accuracy by fold', () => {
    expect(foldCells(answers)).toHaveLength(8);
    expect(foldCells(answers)).toContainEqual({ model: 'a', scenario: 'original', fold: 0, n: 2, accuracy: 0.5 });
  });

  it('of a model with several heads, one alone', () => {
    const heads = answersFrom(
      tableFrom({
        model: ['a', 'a'],
        trained: ['grey', 'original'],
        scenario: ['grey', 'grey'],
        sample: ['s', 's'],
        label: ['x', 'x'],
        prediction: ['x', 'y'],
        correct: Float64Array.of(1, 0),
      }),
    );
    expect([...heads.rows]).toEqual([1]);
    expect(heads.heads.get('a')).toBe('original');
  });
});

describe('how to repeat a run', () => {
  const config = { data: "/my data/it's", border: 'ignore', scenarios: ['original', 'size:0.05'], seed: 0, gates: [] };
  const record = (more: object) => ({
    config: { ...config, ...more },
    version: 1,
    scenarios: [],
    models: [],
    versions: {},
  });

  it('is a command that a shell reads back, defaults left out', () => {
    expect(repeatCommand(record({ models: ['a.onnx', 'b.onnx'] }))).toBe(
      [
        'sceneshift run',
        String.raw`--data '/my data/it'\''s'`,
        '--model a.onnx',
        '--model b.onnx',
        '--scenarios original,size:0.05',
        '--seed 0',
        '--out RUN',
      ].join(' \\\n  '),
    );
  });

  it('leaves out nothing that decides an answer', () => {
    const settings = { models: ['a.onnx'], objects: 'each', labelFrom: 'name', maxErrors: 0.5, maxPixels: 7 };
    const command = repeatCommand(record(settings));
    for (const words of ['--objects each', '--label-from name', '--max-errors 0.5', '--max-pixels 7'])
      expect(command).toContain(words);
    for (const unsayable of [{ diffusion: { steps: 4 } }, { labelMap: { a: 1 } }])
      expect(repeatCommand(record({ models: ['a.onnx'], ...unsayable }))).toBeNull();
    expect(repeatCommand(record({ models: ['a.onnx'], threads: 2, out: '/x' }))).not.toBeNull();
  });

  it('is a file where a command line cannot say it', async () => {
    const settings = record({ models: [{ model: 'a.onnx', name: 'A' }] });
    expect(repeatCommand(settings)).toBeNull();
    expect(await repeatYaml(settings)).toContain('models:\n  - model: a.onnx\n    name: A');
    expect(await repeatYaml(settings)).not.toContain('border');
  });

  it('tells preprocessing in words', () => {
    const record = {
      padToSquare: false,
      resize: { shortSide: 256, filter: 'bilinear' },
      crop: { width: 224, height: 224, offset: 'even' },
      scale: 1 / 255,
      mean: [0.5],
      std: [0.25],
      channels: 'RGB',
      layout: 'NCHW',
      type: 'float32',
    };
    expect(preprocessingWords(record)).toBe(
      'resized to short side 256 (bilinear), centre 224×224, RGB, ÷ 255, mean 0.5, std 0.25, float32 NCHW',
    );
  });
});
