import { describe, expect, it } from 'vitest';
import { fixture, pattern, reference } from '../../test/fixtures/models/pattern.ts';
import type { ModelRecord } from '../contracts/model-record.ts';
import { gridMap, stretch } from './onnx/output-map.ts';
import { describeModel, openModel } from './open.ts';
import { resolveRecord } from './record/resolve.ts';
import { salientMap, salientMask } from './salient.ts';

interface Reference {
  readonly images: { width: number; height: number; seed: number }[];
  readonly models: { file: string; answers: number[][]; dims: number[] }[];
}
const { images, models } = reference<Reference>('classifiers.reference.json');
const record: ModelRecord = {
  resize: { shortSide: 36, filter: 'bilinear' },
  crop: 32,
  scale: 1 / 255,
  mean: [0.485, 0.456, 0.406],
  std: [0.229, 0.224, 0.225],
};
const answersOf = (file: string) => models.find((each) => each.file === file)?.answers as number[][];

async function classesOf(file: string) {
  const model = await openModel({ model: fixture(file), preprocessing: record });
  const pictures = images.slice(0, 2).map(pattern);
  const answers = await model.answer(
    await Promise.all(pictures.map((picture) => model.prepare(picture))),
    pictures.map(({ width, height }) => ({ sample: '', scenario: 'original', width, height })),
  );
  await model.close();
  return answers.map((answer) => {
    if (answer.kind !== 'mask') throw new Error(answer.kind);
    return answer.classes;
  });
}

/** The reference grid (16 × 16 over the 32 × 32 crop) brought to a picture's size the long way round. */
function expectClasses(
  found: { width: number; height: number; data: ArrayLike<number> },
  at: (x: number, y: number) => number,
) {
  const scale = 36 / Math.min(found.width, found.height);
  const [left, top] = [found.width, found.height].map((side) => Math.round((Math.trunc(side * scale + 1e-9) - 32) / 2));
  let inside = 0;
  for (let y = 0; y < found.height; y++)
    for (let x = 0; x < found.width; x++) {
      const [u, v] = [
        (x + 0.5) * (Math.trunc(found.width * scale + 1e-9) / found.width) - left,
        (y + 0.5) * (Math.trunc(found.height * scale + 1e-9) / found.height) - top,
      ];
      const value = found.data[y * found.width + x];
      if (u < 0 || v < 0 || u >= 32 || v >= 32) expect(value).toBe(0);
      else {
        inside++;
        expect(value, `${x}, ${y}`).toBe(at(u / 2, v / 2));
      }
    }
  expect(inside).toBeGreaterThan(100);
}

const bilinear = (plane: number[], u: number, v: number) => {
  const clamp = (i: number) => Math.min(15, Math.max(0, i));
  const [a, b] = [Math.max(0, u - 0.5), Math.max(0, v - 0.5)];
  const [x, y] = [Math.floor(a), Math.floor(b)];
  const value = (i: number, j: number) => plane[clamp(j) * 16 + clamp(i)];
  const row = (j: number) => value(x, j) + (value(x + 1, j) - value(x, j)) * (a - x);
  return row(y) + (row(y + 1) - row(y)) * (b - y);
};

describe('segmentation models', () => {
  it('compares scores at the size of the variant, and calls what the crop left out background', async () => {
    const [first, second] = await classesOf('segment-logits.onnx');
    for (const [i, classes] of [first, second].entries()) {
      const planes = [0, 1, 2].map((c) => answersOf('segment-logits.onnx')[i].slice(c * 256, (c + 1) * 256));
      expectClasses(classes, (u, v) => {
        const scores = planes.map((plane) => bilinear(plane, u, v));
        return scores.indexOf(Math.max(...scores));
      });
    }
  });

  it('cuts a single map at one half', async () => {
    const [classes] = await classesOf('segment-sigmoid.onnx');
    const [plane] = answersOf('segment-sigmoid.onnx');
    expectClasses(classes, (u, v) => (bilinear(plane, u, v) >= 0.5 ? 1 : 0));
  });

  it('takes class indices from the nearest cell', async () => {
    const [classes] = await classesOf('segment-indices.onnx');
    const [plane] = answersOf('segment-indices.onnx');
    expectClasses(classes, (u, v) => plane[Math.floor(v) * 16 + Math.floor(u)]);
  });

  it('is told from a classifier by its output', async () => {
    const described = await describeModel(fixture('segment-sigmoid.onnx'));
    expect(described).toMatchObject({ kind: 'segmenter', labels: ['background', 'object'] });
    expect(described.preprocessing).toMatchObject({ resize: { width: 32, height: 32, fit: 'stretch' }, crop: null });
    expect(described.warnings[0]).toMatch(/imagenet, the whole picture is assumed/);
  });
});

describe('salient masks', () => {
  it('gives a map between 0 and 1 and the mask above the threshold', async () => {
    for (const file of ['segment-sigmoid.onnx', 'segment-logits.onnx', 'segment-indices.onnx']) {
      const model = await openModel(fixture(file));
      const picture = pattern({ width: 41, height: 29, seed: 3 });
      const map = await salientMap(model, picture);
      expect(map).toHaveLength(41 * 29);
      expect(Math.min(...map)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...map)).toBeLessThanOrEqual(1);
      const mask = await salientMask(model, picture, { threshold: 0.3 });
      expect([...mask.data]).toEqual([...map].map((share) => (share >= 0.3 ? 255 : 0)));
      await model.close();
    }
  });

  it('spreads a min-max map over the whole range', async () => {
    const model = await openModel({
      model: fixture('segment-sigmoid.onnx'),
      preprocessing: { output: { kind: 'min-max' } },
    });
    const map = await salientMap(model, pattern({ width: 32, height: 32, seed: 1 }));
    // 32 pixels over 16 cells: no pixel's centre is a cell's, so the ends are approached, not met.
    expect(Math.min(...map)).toBeLessThan(0.2);
    expect(Math.max(...map)).toBeGreaterThan(0.8);
    await model.close();
  });

  it('refuses a classifier', async () => {
    const model = await openModel(fixture('nchw.onnx'));
    expect(() => salientMap(model, pattern({ width: 8, height: 8, seed: 0 }))).toThrow(
      /Expected a model that marks pixels .* received nchw, a classifier/,
    );
    await model.close();
  });
});

describe('the way back from the network to the picture', () => {
  const openInput = { name: '', type: 'float32', layout: undefined, channels: 0, width: 0, height: 0 } as const;
  it('brings a picture made by the preprocessing back to itself', () => {
    const { preprocessing } = resolveRecord(
      [{ from: '', record: { padToSquare: true, resize: { width: 40, height: 40, filter: 'bilinear' }, crop: null } }],
      openInput,
    );
    // A ramp over the square, sampled back over the 60 × 30 picture in its middle.
    const ramp = Float32Array.from({ length: 1600 }, (_, i) => (i % 40) + 0.5);
    const map = gridMap(preprocessing, { width: 60, height: 30 }, { width: 40, height: 40 });
    const back = stretch(ramp, 40, map, -1);
    for (let x = 1; x < 59; x++) expect(back[15 * 60 + x]).toBeCloseTo(((x + 0.5) / 60) * 40, 5);
    expect([...map.rows.nearest]).toEqual(Array.from({ length: 30 }, (_, y) => Math.floor(((y + 15.5) / 60) * 40)));
  });
});
