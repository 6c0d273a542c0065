import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sample } from '../contracts/sample.ts';
import type { OnnxDescription } from '../models/onnx/describe.ts';
import { type NodeSpec, writeModel } from '../models/onnx/write.ts';
import { openModel } from '../models/open.ts';
import { withRunFolder } from '../run/folder/index.ts';
import { loadPhotograph, type PhotographOptions } from '../run/photograph.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import { randomFor } from '../stats/random.ts';
import { type Backbone, openBackbone } from './backbone.ts';
import { fitHeads } from './fit-heads.ts';
import { predictHead } from './head.ts';
import { rowsOf } from './head-plan.ts';
import { loadHead } from './head-store.ts';
import { type TrainOptions, trainHeads } from './train.ts';
import { writeHead } from './write-head.ts';

const sizePx = 16;
const perClass = 8;
const folds = 4;
const photographs: PhotographOptions = {
  mode: 'corrected',
  flatten: [255, 255, 255],
  maxPixels: 1e8,
  border: 'ignore',
};
let folder: string;
let samples: Sample[];
let backgrounds: string[];
let backbone: Backbone;

/** One colour around a square of another. */
async function drawSquare(path: string, around: number[], inside: number[] | undefined): Promise<void> {
  const pixels = Buffer.alloc(sizePx ** 2 * 3);
  for (let y = 0, at = 0; y < sizePx; y++)
    for (let x = 0; x < sizePx; x++)
      for (const [c, value] of around.entries()) {
        const object = inside && x >= 5 && x < 11 && y >= 5 && y < 11;
        pixels[at++] = object ? inside[c] : value;
      }
  await sharp(pixels, { raw: { width: sizePx, height: sizePx, channels: 3 } })
    .png()
    .toFile(path);
}

/**
 * Samples before one colour each, all different, and a network whose features are the mean of the corner (which tells
 * whose background it is) and the mean of the middle (which tells the class).
 */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sceneshift-train-'));
  await mkdir(join(folder, 'backgrounds'));
  const random = randomFor('train test');
  const mask = join(folder, 'mask.png');
  await drawSquare(mask, [0, 0, 0], [255, 255, 255]);
  samples = [];
  for (const [k, label] of ['red', 'green', 'blue'].entries())
    for (let i = 0; i < perClass; i++) {
      const image = join(folder, `${label}${i}.png`);
      const inside = [0, 1, 2].map((c) => (c === k ? 150 : 90) + random.integer(-40, 40));
      await drawSquare(image, [10 + 8 * samples.length, 40, 200], inside);
      samples.push({ id: `${label}${i}`, image, label, mask: { kind: 'file', path: mask } });
    }
  backgrounds = [];
  for (let i = 0; i < 9; i++) {
    backgrounds.push(join(folder, 'backgrounds', `${i}.png`));
    await drawSquare(backgrounds[i], [20 * i + 5, 250, 20 * i + 5], undefined);
  }
  const cut = (name: string, from: number, to: number) => [
    { name: `${name}/from`, dims: [2], values: BigInt64Array.from([BigInt(from), BigInt(from)]) },
    { name: `${name}/to`, dims: [2], values: BigInt64Array.from([BigInt(to), BigInt(to)]) },
  ];
  const slice = (name: string): NodeSpec[] => [
    { op: 'Slice', inputs: ['input', `${name}/from`, `${name}/to`, 'axes'], outputs: [name] },
    { op: 'GlobalAveragePool', inputs: [name], outputs: [`${name}/mean`] },
  ];
  await writeFile(
    join(folder, 'net.onnx'),
    writeModel({
      name: 'corner and middle',
      producer: 'sceneshift tests',
      inputs: [{ name: 'input', shape: ['n', 3, sizePx, sizePx] }],
      outputs: [{ name: 'output', shape: ['n', 7] }],
      nodes: [
        ...slice('corner'),
        ...slice('middle'),
        { op: 'Concat', inputs: ['corner/mean', 'middle/mean'], outputs: ['both'], attributes: { axis: 1 } },
        { op: 'Flatten', inputs: ['both'], outputs: ['flat'] },
        { op: 'Gemm', inputs: ['flat', 'w'], outputs: ['output'] },
      ],
      tensors: [
        ...cut('corner', 0, 3),
        ...cut('middle', 6, 10),
        { name: 'axes', dims: [2], values: BigInt64Array.from([2n, 3n]) },
        { name: 'w', dims: [6, 7], values: Float32Array.from({ length: 42 }, () => random.normal()) },
      ],
    }),
  );
  await writeFile(
    join(folder, 'net.json'),
    JSON.stringify({ resize: null, crop: sizePx, scale: 1 / 255, mean: 0, std: 1, labels: 'abcdefg'.split('') }),
  );
  backbone = await openBackbone(join(folder, 'net.onnx'), {});
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = (out: string, more: Partial<TrainOptions> = {}): TrainOptions => ({
  dataset: {
    path: join(folder, 'manifest.csv'),
    layout: 'manifest',
    samples,
    classes: ['blue', 'green', 'red'],
    notes: [],
    problems: [],
  },
  samples,
  classes: ['blue', 'green', 'red'],
  scenarios: parseScenarioList('original,random-background,mixed-rand'),
  scenariosNamed: true,
  folds,
  seed: 5,
  photographs,
  backgrounds,
  backbone,
  version: 'test',
  out: join(folder, out),
  threads: 1,
  maxErrors: 0,
  config: {},
  ...more,
});

/** The red of the corner, in 8-bit levels: whose background it is. */
function cornersOf({ plan, computedFeatures: { store } }: Awaited<ReturnType<typeof trainHeads>>, scenario: string) {
  const rows = rowsOf(plan, { name: scenario, scenarios: [scenario] }, store.has);
  const data = store.read(rows.keys);
  return Array.from(rows.folds, (fold, i) => ({
    fold,
    sample: plan.plannedSamples[rows.sampleIndexes[i]].sample.id,
    level: Math.round(255 * data[i * store.d]),
  }));
}

describe('trainHeads', { timeout: 120_000 }, () => {
  it('never tests before a background that any image of another fold has', async () => {
    const summary = await trainHeads(options('leak'));
    const pasted = cornersOf(summary, 'random-background');
    expect(pasted).toHaveLength(samples.length);
    const foldsOf = new Map<number, Set<number>>();
    for (const { fold, level } of pasted) foldsOf.set(level, (foldsOf.get(level) ?? new Set()).add(fold));
    expect(foldsOf.size).toBeGreaterThan(folds);
    expect([...foldsOf.values()].every((own) => own.size === 1)).toBe(true);
    const levels = new Set(Array.from(backgrounds, (_, i) => 20 * i + 5));
    expect([...foldsOf.keys()].every((level) => levels.has(level))).toBe(true);
  });

  it('takes other samples, and their emptied photographs, from the same fold', async () => {
    for (const [scenario, given] of [
      ['mixed-rand', backgrounds],
      ['random-background', undefined],
    ] as const) {
      const summary = await trainHeads(
        options('donors', { scenarios: parseScenarioList(scenario), backgrounds: given }),
      );
      const foldOf = new Map(summary.plan.plannedSamples.map(({ sample, fold }) => [sample.id, fold]));
      const donors = cornersOf(summary, scenario).map(({ sample, fold, level }) => {
        const donor = samples[Math.round((level - 10) / 8)];
        return { own: donor.id === sample, same: foldOf.get(donor.id) === fold, label: donor.label, sample };
      });
      expect(donors.every(({ same }) => same)).toBe(true);
      expect(donors.some(({ own }) => own)).toBe(false);
    }
  });

  describe('with pictures that cannot be used', () => {
    const few = () => samples.filter(({ id }) => Number(id.at(-1)) < 3);
    const broken = join(tmpdir(), `sceneshift-broken-${process.pid}.png`);
    beforeAll(() => writeFile(broken, 'no picture'));
    afterAll(() => rm(broken, { force: true }));
    /** Two folds of three reds: one stands alone in its fold, so that without it the other fold's head never sees red. */
    const without = async (out: string, isBroken: (fold: number, sample: Sample, plan: Sample[][]) => boolean) => {
      const more = { samples: few(), folds: 2, scenarios: parseScenarioList('original'), maxErrors: 1 };
      const { plan } = await trainHeads(options(`${out}-whole`, more));
      const byFold = [0, 1].map((fold) =>
        plan.plannedSamples.filter((planned) => planned.fold === fold).map(({ sample }) => sample),
      );
      const left = few().map((sample) => {
        const fold = byFold.findIndex((own) => own.some(({ id }) => id === sample.id));
        return isBroken(fold, sample, byFold) ? { ...sample, image: broken } : sample;
      });
      return { byFold, summary: () => trainHeads(options(out, { ...more, samples: left })) };
    };

    it('goes on where a head never sees a class: it is never answered, and that is said', async () => {
      const isRed = ({ label }: Sample) => label === 'red';
      const { byFold, summary } = await without(
        'unseen',
        (fold, sample, folds) => isRed(sample) && folds[fold].filter(isRed).length === 1,
      );
      const { errors, rows, warnings, run } = await summary();
      expect(errors).toHaveLength(1);
      expect(rows).toBe(few().length - 1);
      const tested = byFold.findIndex((own) => own.filter(isRed).length === 2);
      expect(warnings).toEqual([
        `No usable picture of red is left to train on where fold ${tested + 1} is tested, so it is never answered there; give fewer --folds or more pictures`,
      ]);
      const reds = await withRunFolder(run, (folder) =>
        folder.query('SELECT correct, probabilityTruth, rankTruth FROM predictions WHERE label = $label', {
          label: 'red',
        }),
      );
      const never = { correct: false, probabilityTruth: 0, rankTruth: 3 };
      expect(reds).toEqual([never, never]);
    });

    it('says what is missing where a fold leaves nothing to train on', async () => {
      const { summary } = await without('nothing', (fold) => fold === 0);
      await expect(summary()).rejects.toThrow(
        'Nothing usable is left to train the head of original on where fold 2 is tested; give fewer --folds or more pictures',
      );
    });
  });

  it('answers for every image with the head that never saw it, and resumes to the same answers', async () => {
    const first = await trainHeads(options('resume', { on: ['mix', 'original,mixed-rand'] }));
    expect(first.computed).toBe(3 * samples.length);
    expect(first.scenarios.map(({ trained }) => trained)).toEqual([
      'original',
      'random-background',
      'mixed-rand',
      'mix',
      'original+mixed-rand',
    ]);
    expect(first.rows).toBe(5 * 3 * samples.length);
    expect(first.matrix).toHaveLength(15);
    expect(first.matrix.every(({ n }) => n === samples.length)).toBe(true);
    expect(first.scenarios[0].accuracy).toBeGreaterThan(0.8);

    const heads = await readdir(join(folder, 'resume', 'heads'));
    expect(heads).toHaveLength(5 * folds);
    await rm(join(folder, 'resume', 'heads', heads[0]));
    await truncate(join(folder, 'resume', 'heads', heads[1]), 100);
    await rm(join(folder, 'resume', 'predictions'), { recursive: true });
    const features = await readdir(join(folder, 'resume', 'features'));
    await truncate(join(folder, 'resume', 'features', features.find((name) => name.endsWith('.f32')) as string), 60);
    const again = await trainHeads(options('resume', { on: ['mix', 'original,mixed-rand'] }));
    expect(again.computed).toBeGreaterThan(0);
    expect(again.matrix).toEqual(first.matrix);
    expect(again.scenarios).toEqual(first.scenarios);
    expect(again.differences).toEqual(first.differences);
    expect(again.rows).toBe(first.rows);
    expect((await trainHeads(options('resume', { on: ['mix', 'original,mixed-rand'] }))).computed).toBe(0);
  });

  it('goes on after an interruption to what it would have come to', async () => {
    const stop = new AbortController();
    const half = await trainHeads(
      options('stopped', {
        signal: stop.signal,
        onProgress: (stage, done) => stage === 'heads' && done > 3 && stop.abort(),
      }),
    );
    expect(half.interrupted).toBe(true);
    const whole = await trainHeads(options('stopped'));
    const straight = await trainHeads(options('straight'));
    expect(whole.computed).toBe(0);
    expect(whole.matrix).toEqual(straight.matrix);
    expect(whole.scenarios).toEqual(straight.scenarios);
  });

  it('replaces the rows of other settings and keeps those of the delivered model', async () => {
    await trainHeads(options('replaced', { scenarios: parseScenarioList('original,grey') }));
    const other = await trainHeads(options('replaced', { scenarios: parseScenarioList('original,grey'), folds: 3 }));
    expect(other.rows).toBe(2 * 2 * samples.length);
  });

  it('tells what kinds of model it cannot train on', async () => {
    await expect(openBackbone('command:cat', {})).rejects.toThrow(/Expected an ONNX image classifier.*kind 'command'/);
  });
});

describe('writeHead', { timeout: 120_000 }, () => {
  it('writes a model that answers as the head in memory does, on every image', async () => {
    const summary = await trainHeads(options('written'));
    const { plan, computedFeatures, run } = summary;
    const { store } = computedFeatures;
    const classes = ['blue', 'green', 'red'];
    const [fitted] = await fitHeads({
      run,
      plan,
      store,
      heads: [{ name: 'original', scenarios: ['original'] }],
      classes,
      held: [-1],
      threads: 1,
    });
    const { head } = await loadHead(run, fitted.keys[0]);
    const out = join(folder, 'new.onnx');
    await writeHead({ backbone, head, classes, trained: 'original', out });
    const model = await openModel(out);
    expect(model).toMatchObject({ name: 'new', labels: classes, outputCount: 3, outputs: 'logits', warnings: [] });
    expect((model as unknown as OnnxDescription).preprocessing).toEqual(backbone.description.preprocessing);
    const rows = rowsOf(plan, { name: 'original', scenarios: ['original'] }, store.has);
    const all = Array.from(rows.keys.keys());
    const scores = predictHead(head, { data: store.read(rows.keys), n: all.length, d: store.d }, all);
    for (const row of all) {
      const { sample } = plan.plannedSamples[rows.sampleIndexes[row]];
      const { image } = await loadPhotograph(sample, photographs);
      const question = { sample: sample.id, scenario: 'original', width: image.width, height: image.height };
      const [answer] = await model.answer([await model.prepare(image)], [question]);
      if (answer.kind !== 'scores') throw new Error(answer.kind);
      const own = Array.from(scores.subarray(row * 3, row * 3 + 3));
      expect(answer.scores.indexOf(Math.max(...answer.scores))).toBe(own.indexOf(Math.max(...own)));
      for (const [k, score] of own.entries()) expect(answer.scores[k]).toBeCloseTo(score, 3);
    }
    await model.close();
  });
});
