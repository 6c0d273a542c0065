import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture, pattern, reference } from '../../test/fixtures/models/pattern.ts';
import type { ModelRecord } from '../contracts/model-record.ts';
import type { Model } from './define.ts';
import { describeModel, openModel } from './open.ts';

interface Reference {
  readonly preprocessing: ModelRecord;
  readonly images: { width: number; height: number; seed: number }[];
  readonly models: { file: string; note: string; record?: ModelRecord; answers: number[][]; dims: number[] }[];
}
const { preprocessing, images, models } = reference<Reference>('classifiers.reference.json');
const classifiers = models.filter(({ file }) => !file.startsWith('segment') && file !== 'class-number.onnx');
const uint8 = (file: string) => file === 'bytes.onnx';

async function scoresOf(model: Model): Promise<number[][]> {
  const pictures = images.map(pattern);
  const prepared = await Promise.all(pictures.map((picture) => model.prepare(picture)));
  const answers = await model.answer(
    prepared,
    pictures.map(({ width, height }) => ({ sample: 'x', scenario: 'original', width, height })),
  );
  return answers.map((answer) => {
    if (answer.kind !== 'scores') throw new Error(answer.kind);
    return [...answer.scores];
  });
}

const settingsFor = ({ file, record = preprocessing }: { file: string; record?: ModelRecord }) => ({
  model: fixture(file),
  preprocessing: {
    ...(uint8(file) ? { resize: preprocessing.resize, crop: preprocessing.crop } : preprocessing),
    ...record,
    ...(uint8(file) && { mean: undefined, std: undefined }),
  } as ModelRecord,
});

describe('ONNX classifiers answer as with Python', () => {
  it.each(classifiers.map((each) => [`${each.file}: ${each.note}`, each] as const))('%s', async (_, each) => {
    const model = await openModel(settingsFor(each), { threads: 1 });
    const scores = await scoresOf(model);
    await model.close();
    expect(scores).toHaveLength(images.length);
    // float16 scores have 11 bits; the others differ by the order of additions at most.
    const tolerance = each.file === 'half.onnx' ? 4e-3 : 2e-5;
    const wanted = each.file === 'binary.onnx' ? each.answers.map(([p]) => [1 - p, p]) : each.answers;
    for (const [i, row] of wanted.entries())
      for (const [j, value] of row.entries()) expect(Math.abs(scores[i][j] - value)).toBeLessThanOrEqual(tolerance);
  });

  it('answers the same whatever the batch', async () => {
    const spec = settingsFor(classifiers[0]);
    const [one, many] = await Promise.all([1, 3].map((batch) => openModel(spec, { batch })));
    const [alone, together] = [await scoresOf(one), await scoresOf(many)];
    for (const [i, row] of alone.entries())
      for (const [j, value] of row.entries()) expect(together[i][j]).toBeCloseTo(value, 5);
    await Promise.all([one.close(), many.close()]);
  });

  it('keeps calls that overlap apart', async () => {
    const model = await openModel(settingsFor(classifiers[0]));
    const [first, second] = await Promise.all([scoresOf(model), scoresOf(model)]);
    expect(first).toEqual(second);
    await model.close();
  });
});

describe('a network of open size without a resize', () => {
  it('sees every picture at its own size, one at a time', async () => {
    const values = { mean: preprocessing.mean, std: preprocessing.std };
    const model = await openModel({
      model: fixture('open-size.onnx'),
      preprocessing: { ...values, resize: null, crop: null },
    });
    expect(model.batch).toBe(1);
    const scores = await scoresOf(model);
    // The fixed-size network on a picture that already has its size gives the same.
    const fixed = await openModel({
      model: fixture('nchw.onnx'),
      preprocessing: { ...values, resize: null, crop: 32 },
    });
    const square = pattern({ width: 32, height: 32, seed: 9 });
    const question = { sample: '', scenario: '', width: 32, height: 32 };
    const [a] = await fixed.answer([await fixed.prepare(square)], [question]);
    const [b] = await model.answer([await model.prepare(square)], [question]);
    expect(b).toEqual(a);
    expect(scores.every((row) => row.length === 5 && row.every(Number.isFinite))).toBe(true);
    await Promise.all([fixed.close(), model.close()]);
  });
});

describe('what is found about a classifier', () => {
  const facts = async (file: string) => {
    const {
      batch,
      outputs,
      outputCount,
      labels,
      warnings,
      identity,
      preprocessing: resolved,
    } = await describeModel(settingsFor(models.find((each) => each.file === file) as (typeof models)[number]));
    return { batch, outputs, outputCount, labels, warnings, identity, resolved };
  };

  it('tells logits from probabilities, by the graph and by the values', async () => {
    expect((await facts('nchw.onnx')).outputs).toBe('logits');
    expect((await facts('softmax.onnx')).outputs).toBe('probabilities');
    expect((await facts('share.onnx')).outputs).toBe('probabilities');
  });

  it('takes a fixed batch, layout and type from the graph', async () => {
    expect((await facts('nhwc-batch-4.onnx')).batch).toBe(4);
    expect((await facts('nhwc-batch-4.onnx')).resolved?.layout).toBe('NHWC');
    expect((await facts('half.onnx')).resolved?.type).toBe('float16');
    expect((await facts('grey.onnx')).resolved?.channels).toBe('L');
  });

  it('runs int8 precisely, and dynamically quantised models one picture at a time', async () => {
    expect((await facts('int8-operators.onnx')).identity.int8).toBe('exact');
    expect((await facts('int8-qdq.onnx')).identity.int8).toBe('exact');
    expect((await facts('nchw.onnx')).identity.session).toBeUndefined();
    const dynamic = await facts('int8-dynamic.onnx');
    expect(dynamic.batch).toBe(1);
    expect(dynamic.warnings.join()).toMatch(/dynamically quantised/);
  });

  it('finds out that a model takes one picture at a time, whatever it says', async () => {
    const { batch, warnings } = await facts('one-inside.onnx');
    expect(batch).toBe(1);
    expect(warnings).toEqual([expect.stringMatching(/fails on two pictures at a time, or answers otherwise/)]);
  });

  it('reads one output with two labels as two', async () => {
    expect(await facts('binary.onnx')).toMatchObject({ outputCount: 2, labels: ['whole', 'broken'] });
  });

  it('hashes weights that stand beside the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'external-'));
    for (const file of ['external.onnx', 'external.weights']) copyFileSync(fixture(file), join(folder, file));
    const before = (await describeModel(join(folder, 'external.onnx'))).identity.sha256;
    expect(before).toBe((await describeModel(fixture('external.onnx'))).identity.sha256);
    const weights = Buffer.alloc(1964, 1);
    writeFileSync(join(folder, 'external.weights'), weights);
    expect((await describeModel(join(folder, 'external.onnx'))).identity.sha256).not.toBe(before);
  });

  it('assumes imagenet, fitted to the input, and says so', async () => {
    const { preprocessing: resolved, warnings } = await describeModel(fixture('nchw.onnx'));
    expect(resolved).toMatchObject({ resize: { shortSide: 36, filter: 'bilinear' }, crop: { width: 32, height: 32 } });
    expect(warnings).toEqual([
      expect.stringMatching(
        /^no preprocessing is stated beside the model or in the config: imagenet is assumed; a wrong guess gives wrong numbers; sceneshift models inspect \S+ --data DIR tries which fits$/,
      ),
    ]);
  });
});

describe('devices', () => {
  const absent = process.platform === 'darwin' ? 'directml' : 'coreml';
  it('that the library lacks are said, instead of being left out without a word', async () => {
    await expect(describeModel({ model: fixture('nchw.onnx'), device: absent })).rejects.toThrow(
      new RegExp(
        `nchw.onnx: device ${absent} is not in this onnxruntime, which has cpu.*; it is part of onnxruntime on`,
      ),
    );
    await expect(describeModel({ model: fixture('clip'), device: absent, labels: ['cat', 'dog'] })).rejects.toThrow(
      /device/,
    );
  });
  it('are refused by name where there is no such thing', async () => {
    const spec = { model: fixture('nchw.onnx'), device: 'tpu' } as unknown as Parameters<typeof describeModel>[0];
    await expect(describeModel(spec)).rejects.toThrow(/device/);
  });
});

describe('a model that does not fit costs one clear line', () => {
  const problem = (spec: Parameters<typeof describeModel>[0]) =>
    describeModel(spec).then(
      () => 'no error',
      (error: Error) => error.message,
    );
  const folder = mkdtempSync(join(tmpdir(), 'models-'));

  it.each([
    [
      'another size',
      { model: 'nchw.onnx', preprocessing: { resize: { shortSide: 256 }, crop: 224 } },
      /takes 32 × 32 pixels .* makes 224 × 224/,
    ],
    [
      'another layout',
      { model: 'nchw.onnx', preprocessing: { input: { layout: 'NHWC' } } },
      /input.layout is NHWC, but .* is NCHW/,
    ],
    [
      'another type',
      { model: 'nchw.onnx', preprocessing: { input: { type: 'uint8' } } },
      /input.type is uint8, but .* is float32/,
    ],
    [
      'another number of channels',
      { model: 'grey.onnx', preprocessing: { input: { channels: 'RGB' } } },
      /Expected 3 channels \(RGB\) .* received 1/,
    ],
    [
      'no such input',
      { model: 'nchw.onnx', preprocessing: { input: { name: 'y' } } },
      /has no input 'y'; it has 'pixels'/,
    ],
    [
      'no such output',
      { model: 'nchw.onnx', preprocessing: { output: { name: 'y' } } },
      /has no output 'y'; it has 'scores'/,
    ],
    ['a class number', { model: 'class-number.onnx' }, /output 'scores' is int64, a class number and not scores/],
    ['scaled bytes', { model: 'bytes.onnx', preprocessing: { scale: 0.5 } }, /scale is 0.5, but .* uint8/],
    [
      'labels that do not fit',
      { model: 'nchw.onnx', labels: ['a', 'b'] },
      /has 5 outputs, but its labels \(the config\) are 2/,
    ],
    [
      'an unknown set of labels',
      { model: 'nchw.onnx', labels: 'imagenet-2k' },
      /Expected 'imagenet-1k'.* received 'imagenet-2k'/,
    ],
    ['an unknown field', { model: 'nchw.onnx', preprocessing: { croop: 3 } }, /models: preprocessing.*'croop'/],
    ['missing weights', { model: 'lonely.onnx' }, /keeps its weights in external.weights, which is not beside it/],
    ['a truncated file', { model: 'cut.onnx' }, /is not a whole ONNX model: it ends early, after 900 bytes/],
    ['an empty file', { model: 'empty.onnx' }, /is empty \(0 bytes\)/],
    ['a text', { model: 'text.onnx' }, /is not an ONNX model but a text file/],
    ['a PyTorch file', { model: 'torch.onnx' }, /zip archive \(PyTorch checkpoint\?\)/],
    ['noise', { model: 'noise.onnx' }, /is not an ONNX model/],
    ['nothing there', { model: 'missing.onnx' }, /There is no model at .*missing.onnx/],
  ] as const)('%s', async (_, { model, ...rest }, message) => {
    copyFileSync(fixture('external.onnx'), join(folder, 'lonely.onnx'));
    writeFileSync(join(folder, 'empty.onnx'), '');
    writeFileSync(join(folder, 'text.onnx'), '<!doctype html>');
    writeFileSync(join(folder, 'torch.onnx'), 'PK\u0003\u0004abc');
    writeFileSync(join(folder, 'noise.onnx'), Buffer.from('ff00ff00ff', 'hex'));
    const { readFileSync } = await import('node:fs');
    writeFileSync(join(folder, 'cut.onnx'), readFileSync(fixture('nchw.onnx')).subarray(0, 900));
    for (const file of ['nchw.onnx', 'grey.onnx', 'bytes.onnx', 'class-number.onnx'])
      copyFileSync(fixture(file), join(folder, file));
    const text = await problem({ model: join(folder, model), ...rest } as never);
    expect(text).toMatch(message);
    expect(text).not.toContain('\n');
  });
});
