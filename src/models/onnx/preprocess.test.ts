import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest, pattern, reference } from '../../../test/fixtures/models/pattern.ts';
import type { ModelRecord } from '../../contracts/model-record.ts';
import { fromHuggingFace } from '../record/hugging-face.ts';
import { type InputFacts, resolveRecord } from '../record/resolve.ts';
import { fromModelConfig } from '../record/timm.ts';
import { fitPicture, geometryFor, preprocessor } from './preprocess.ts';
import { tensorMaker } from './tensor.ts';

interface Case {
  readonly images: { width: number; height: number; seed: number; out: [number, number]; sha256: string }[];
}
interface Reference {
  readonly torchvision: (Case & { name: string; record: ModelRecord })[];
  readonly timm: (Case & { config: { pretrained_cfg: { crop_mode: string; input_size: number[] } } })[];
  readonly transformers: (Case & { config: Record<string, unknown> })[];
  readonly values: { config: Record<string, unknown>; shape: number[]; values: number[] }[];
  readonly tensors: {
    record: ModelRecord;
    images: { width: number; height: number; seed: number; float32: string; float16: string; nhwc: string }[];
    grey: string;
  };
}
const { torchvision, timm, transformers, tensors, values } = reference<Reference>('transforms.reference.json');

const openInput: InputFacts = { name: 'x', type: 'float32', layout: undefined, channels: 0, width: 0, height: 0 };
const resolve = (record: ModelRecord, facts: Partial<InputFacts> = {}) =>
  resolveRecord([{ from: 'test', record }], { ...openInput, ...facts }).preprocessing;

function expectSame(record: ModelRecord, images: Case['images'], flip = false) {
  const preprocessing = resolve(record);
  for (const image of images) {
    const fitted = fitPicture(pattern(image), preprocessing);
    if (flip) for (let i = 0; i < fitted.data.length; i += 3) fitted.data.subarray(i, i + 3).reverse();
    expect([fitted.width, fitted.height], `${image.width} × ${image.height}`).toEqual(image.out);
    expect(digest(fitted.data), `${image.width} × ${image.height}`).toBe(image.sha256);
  }
}

describe('the picture before normalising', () => {
  it.each(torchvision.map((each) => [each.name, each] as const))('equals torchvision: %s', (_, { record, images }) => {
    expectSame(record, images);
  });

  it.each(
    timm.map(
      (each) => [`${each.config.pretrained_cfg.crop_mode} ${each.config.pretrained_cfg.input_size}`, each] as const,
    ),
  )('equals timm: %s', (_, { config, images }) => expectSame(fromModelConfig(config, 'config.json'), images));

  it.each(
    transformers.map(
      (each) => [`${each.config.image_processor_type} ${JSON.stringify(each.config.size)}`, each] as const,
    ),
  )('equals transformers with Pillow: %s', (_, { config, images }) => {
    const record = fromHuggingFace(config, 'preprocessor_config.json');
    expectSame(record, images, record.input?.channels === 'BGR');
  });
});

describe('the tensor', () => {
  const bits = (
    record: ModelRecord,
    facts: Partial<InputFacts>,
    image: { width: number; height: number; seed: number },
  ) => digest(preprocessor(resolve(record, facts))(pattern(image)));
  const imagenet: ModelRecord = {
    ...tensors.record,
    scale: 1 / 255,
    mean: [0.485, 0.456, 0.406],
    std: [0.229, 0.224, 0.225],
  };

  it.each(tensors.images)('equals ToTensor and Normalize to the bit: $width × $height', (image) => {
    expect(bits(imagenet, {}, image)).toBe(image.float32);
    expect(bits(imagenet, { type: 'float16' }, image)).toBe(image.float16);
    expect(bits(imagenet, { layout: 'NHWC' }, image)).toBe(image.nhwc);
  });

  it.each(values.map((each) => [JSON.stringify(each.config), each] as const))(
    'has the values of transformers: %s',
    (_, { config, values: wanted }) => {
      const record = fromHuggingFace(config, 'preprocessor_config.json');
      const tensor = preprocessor(resolve(record))(pattern({ width: 57, height: 41, seed: 2 }));
      const found = [...tensor].filter((_value, i) => i % 97 === 0);
      expect(found).toHaveLength(wanted.length);
      // The reference is rounded to six places.
      expect(found.filter((value, i) => !(Math.abs(value - wanted[i]) < 2e-6))).toEqual([]);
    },
  );

  it('made while resizing is the resized picture’s, whatever the sizes', () => {
    const side = fc.integer({ min: 3, max: 90 });
    const filters = fc.constantFrom('bilinear' as const, 'bicubic' as const, 'box' as const, 'lanczos' as const);
    const check = fc.property(side, side, side, filters, fc.boolean(), (width, height, shortSide, filter, planar) => {
      const crop = { width: Math.max(1, shortSide - 2), height: Math.max(1, shortSide - 1) };
      const layout = planar ? 'NCHW' : 'NHWC';
      const preprocessing = resolve({ preprocessing: 'imagenet', resize: { shortSide, filter }, crop }, { layout });
      const image = pattern({ width, height, seed: width });
      const steps = tensorMaker(preprocessing)(fitPicture(image, preprocessing));
      expect(digest(preprocessor(preprocessing)(image))).toBe(digest(steps));
    });
    fc.assert(check, { numRuns: 300 });
  });

  it('makes grey as convert("L") does', () => {
    const record: ModelRecord = { resize: null, crop: null, input: { channels: 'L' }, scale: 1 };
    const grey = preprocessor(resolve(record, { type: 'uint8' }))(pattern({ width: 57, height: 41, seed: 3 }));
    expect(digest(grey)).toBe(tensors.grey);
  });

  it('divides by the largest value of the picture where scale is max', () => {
    const record: ModelRecord = { resize: null, crop: null, scale: 'max' };
    const image = { width: 1, height: 2, data: Uint8Array.of(0, 50, 100, 200, 25, 150) };
    expect([...preprocessor(resolve(record))(image)]).toEqual([0, 1, 0.25, 0.125, 0.5, 0.75]);
    expect([...preprocessor(resolve(record))({ width: 1, height: 1, data: Uint8Array.of(0, 0, 0) })]).toEqual([
      0, 0, 0,
    ]);
  });

  it('keeps mean and std in the order of the channels', () => {
    const record: ModelRecord = { resize: null, crop: null, scale: 1, mean: [1, 2, 3], input: { channels: 'BGR' } };
    const image = { width: 1, height: 1, data: Uint8Array.of(10, 20, 30) };
    expect([...preprocessor(resolve(record))(image)]).toEqual([29, 18, 7]);
  });
});

describe('geometry', () => {
  it('always gives the crop that was asked for, inside or around the picture', () => {
    const side = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(
        side,
        side,
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 300 }),
        (width, height, shortSide, crop) => {
          const g = geometryFor(resolve({ resize: { shortSide }, crop }), width, height);
          expect([g.cropWidth, g.cropHeight]).toEqual([crop, crop]);
          expect(Math.min(g.width, g.height)).toBe(shortSide);
          // The crop and the picture share their middle to half a pixel, rounded.
          expect(Math.abs(2 * g.left + crop - g.width)).toBeLessThanOrEqual(1);
          expect(Math.abs(2 * g.top + crop - g.height)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
