import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../../test/fixtures/models/pattern.ts';
import type { ModelRecord } from '../../contracts/model-record.ts';
import { describeModel } from '../open.ts';
import { parseRecord, recordsBeside } from './beside.ts';
import { fromHuggingFace } from './hugging-face.ts';
import { type InputFacts, resolveRecord } from './resolve.ts';
import { fromModelConfig } from './timm.ts';

const input: InputFacts = { name: 'x', type: 'float32', layout: 'NCHW', channels: 3, width: 224, height: 224 };
const from = (name: string, record: ModelRecord) => ({ from: name, record });

function folderWith(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'record-'));
  mkdirSync(join(folder, 'onnx'));
  for (const name of ['model.onnx', 'onnx/model.onnx']) copyFileSync(fixture('nchw.onnx'), join(folder, name));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

describe('which record holds', () => {
  const strong = from('FILE.json', { resize: { shortSide: 250, filter: 'bicubic' }, crop: 224 });
  const weak = from('preprocessor_config.json', { resize: { width: 224, height: 224 }, scale: 1, mean: [1, 2, 3] });

  it('takes geometry and values each from the first that says anything about them', () => {
    const { preprocessing, from: who, warnings } = resolveRecord([strong, weak], input);
    expect(preprocessing).toMatchObject({
      resize: { shortSide: 250, filter: 'bicubic' },
      scale: 1,
      mean: [1, 2, 3],
      std: [1, 1, 1],
    });
    expect(who).toEqual({ geometry: 'FILE.json', values: 'preprocessor_config.json' });
    expect(warnings).toEqual([expect.stringMatching(/gives a mean and no std/)]);
  });

  it('lays the config over it field by field', () => {
    const { preprocessing, from: who } = resolveRecord([strong, weak], input, {
      config: from('the config', { std: 4 }),
    });
    expect(preprocessing).toMatchObject({ scale: 1, mean: [1, 2, 3], std: [4, 4, 4] });
    expect(who.values).toBe('the config, the rest from preprocessor_config.json');
  });

  it('lets a named set in the config replace everything', () => {
    const { preprocessing, from: who } = resolveRecord(
      [strong, weak],
      { ...input, width: 0, height: 0 },
      { config: from('the config', { preprocessing: 'inception' }) },
    );
    expect(preprocessing).toMatchObject({
      resize: { shortSide: 341, filter: 'bicubic' },
      crop: { width: 299 },
      mean: [0.5, 0.5, 0.5],
    });
    expect(who).toEqual({ geometry: 'the config', values: 'the config' });
  });

  it.each([
    ['imagenet', { resize: { shortSide: 256, filter: 'bilinear' }, crop: { width: 224, height: 224, offset: 'even' } }],
    ['clip', { resize: { shortSide: 224, filter: 'bicubic' }, crop: { width: 224 } }],
    ['u2net', { resize: { width: 224, height: 224, filter: 'lanczos', fit: 'stretch' }, crop: null, scale: 'max' }],
    [
      'raw',
      { resize: { width: 224, height: 224, fit: 'stretch' }, crop: null, scale: 1, mean: [0, 0, 0], std: [1, 1, 1] },
    ],
  ] as const)('knows the set %s', (preprocessing, wanted) => {
    expect(resolveRecord([from('FILE.json', { preprocessing })], input).preprocessing).toMatchObject(wanted);
  });

  it('stretches over an input that is not square', () => {
    const { preprocessing } = resolveRecord([], { ...input, width: 320, height: 200 });
    expect(preprocessing).toMatchObject({ resize: { width: 320, height: 200, fit: 'stretch' }, crop: null });
  });

  it('warns about the part that nobody states', () => {
    expect(resolveRecord([strong], input).warnings).toEqual([
      'no preprocessing is stated for scale, mean and std beside the model or in the config: imagenet is assumed; a wrong guess gives wrong numbers',
    ]);
  });

  it.each([
    [
      { mean: [123.675, 116.28, 103.53] },
      /^FILE.json: mean \[123.675.*\] belongs to pixels of 0 to 255, but scale 0.003922/,
    ],
    [{ mean: 0.5, std: [58.4, 57.1, 57.4] }, /^FILE.json: std \[58.4.*\] belongs to pixels of 0 to 255/],
    [{ scale: 1, mean: 0.485, std: 0.229 }, /^FILE.json: mean 0.485 belongs to pixels of 0 to 1, but scale 1/],
    [{ mean: [0.485, 0.456, 0.406] }, /^FILE.json gives a mean and no std/],
  ])('questions %j', (record, doubt) => {
    const { warnings } = resolveRecord(
      [from('FILE.json', { resize: { shortSide: 256 }, crop: 224, ...record })],
      input,
    );
    expect(warnings).toContainEqual(expect.stringMatching(doubt));
  });

  it.each([
    { scale: 1, mean: [123.675, 116.28, 103.53], std: [58.4, 57.1, 57.4] },
    { scale: 1, mean: [123.675, 116.28, 103.53], std: 1 },
    { scale: 1 / 127.5, mean: 1, std: 1 },
    { preprocessing: 'imagenet' },
    { preprocessing: 'raw' },
    { mean: 0 },
  ] as const)('does not question %j', (record) => {
    const stated = { resize: { shortSide: 256 }, crop: 224, ...record } as Parameters<typeof from>[1];
    expect(resolveRecord([from('FILE.json', stated)], input).warnings).toEqual([]);
  });

  it('refuses what cannot be', () => {
    expect(() => resolveRecord([from('FILE.json', { std: 0 })], input)).toThrow(
      /positive numbers for std in FILE.json/,
    );
    expect(() => resolveRecord([from('FILE.json', { mean: [1, 2] })], input)).toThrow(
      /3 numbers for mean in FILE.json/,
    );
  });
});

describe('files beside a model', () => {
  it('are read strongest first, out of the folder onnx as well', () => {
    const folder = folderWith({
      'preprocessor_config.json': { size: 224 },
      'config.json': { id2label: { 0: 'a', 1: 'b' } },
      'model.json': { crop: 32 },
    });
    expect(recordsBeside(join(folder, 'model.onnx')).map((each) => each.from)).toEqual([
      'model.json',
      'preprocessor_config.json',
      'config.json',
    ]);
    const below = recordsBeside(join(folder, 'onnx/model.onnx'));
    expect(below.map((each) => each.from)).toEqual(['preprocessor_config.json', 'config.json']);
    expect(below[1].record.labels).toEqual(['a', 'b']);
  });

  it('decide name, labels and preprocessing', async () => {
    const folder = folderWith({
      'model.json': {
        name: 'mine',
        labels: 'names.txt',
        resize: { width: 32, height: 32 },
        scale: 1,
        output: { kind: 'probabilities' },
      },
      'names.txt': 'a\nb\nc\nd\ne\n',
    });
    const described = await describeModel(join(folder, 'model.onnx'));
    expect(described).toMatchObject({
      name: 'mine',
      labels: ['a', 'b', 'c', 'd', 'e'],
      outputs: 'probabilities',
      warnings: [],
    });
    expect(described.preprocessing).toMatchObject({
      resize: { width: 32, height: 32, filter: 'bilinear', fit: 'stretch' },
      crop: null,
      scale: 1,
    });
  });

  it.each([
    ['not json', /model.json is not JSON/],
    [{ croop: 1 }, /model.json: unknown field 'croop'; the fields are name, task, labels/],
    [{ crop: -1 }, /model.json: crop/],
    [{ scale: 0 }, /Expected a factor that is not 0 for scale in model.json but received 0/],
    [{ resize: { shortSide: 'x' } }, /model.json: resize/],
    [{ resize: { shortside: 3 } }, /resize: unknown field 'shortside'/],
    [{ input: { layout: 'HWC' } }, /model.json: input.layout: expected one of "NCHW"\|"NHWC"/],
  ])('cost one line where they are wrong: %o', async (content, message) => {
    await expect(describeModel(join(folderWith({ 'model.json': content }), 'model.onnx'))).rejects.toThrow(message);
  });
});

describe('Hugging Face settings', () => {
  const read = (config: object) => fromHuggingFace(config, 'p.json');
  it('read a plain size as the processor does', () => {
    expect(read({ image_processor_type: 'ViTFeatureExtractor', size: 224, do_resize: true }).resize).toEqual({
      width: 224,
      height: 224,
      filter: 'bilinear',
    });
    expect(
      read({ feature_extractor_type: 'CLIPFeatureExtractor', size: 224, crop_size: 224, resample: 3 }),
    ).toMatchObject({
      resize: { shortSide: 224, filter: 'bicubic' },
      crop: { width: 224, height: 224, offset: 'down' },
    });
  });
  it('leave out the steps that are off', () => {
    expect(
      read({
        do_resize: false,
        do_center_crop: false,
        do_rescale: false,
        do_normalize: false,
        size: 3,
        image_mean: [1, 1, 1],
      }),
    ).toEqual({ scale: 1 });
  });
  it.each([
    [{ size: { longest_edge: 3 }, do_resize: true }, /expected shortest_edge, or height and width, for size/],
    [{ size: 224, resample: 9 }, /Pillow's filter number, 0 to 5, for resample, but found 9/],
    [{ size: 'big' }, /p.json/],
    [{ image_mean: 'x' }, /a list of numbers for image_mean/],
  ])('cost one line where they are wrong: %o', (config, message) => {
    expect(() => read(config)).toThrow(message);
  });
});

describe("timm's config", () => {
  it('gives labels and preprocessing', () => {
    const config = {
      label_names: ['n01', 'n02'],
      label_descriptions: { n01: 'one' },
      pretrained_cfg: {
        input_size: [3, 288, 288],
        crop_pct: 0.95,
        interpolation: 'bicubic',
        mean: [0.5, 0.5, 0.5],
        std: [0.5, 0.5, 0.5],
      },
    };
    expect(fromModelConfig(config, 'c.json')).toMatchObject({
      labels: ['one, n01', 'n02'],
      resize: { shortSide: 303, filter: 'bicubic' },
      crop: { width: 288 },
    });
  });
  it('refuses a filter nobody knows', () => {
    expect(() => fromModelConfig({ input_size: [3, 4, 4], interpolation: 'magic' }, 'c.json')).toThrow(
      /for interpolation, but found 'magic'/,
    );
  });
  it('overlooks placeholder labels', () => {
    expect(fromModelConfig({ id2label: { 0: 'LABEL_0', 1: 'LABEL_1' } }, 'c.json')).toEqual({});
  });
});

it('parses the record of the design', () => {
  const record = {
    labels: 'imagenet-1k',
    input: { name: 'input', layout: 'NCHW', type: 'float32', channels: 'RGB' },
    resize: { shortSide: 256, filter: 'bilinear' },
    crop: 224,
    scale: 0.00392156862745098,
    mean: [0.485, 0.456, 0.406],
    std: [0.229, 0.224, 0.225],
    output: { name: 'output', kind: 'logits' },
  };
  expect(parseRecord(record, 'FILE.json')).toEqual(record);
});
