import { describe, expect, it } from 'vitest';
import { SampleError } from '../contracts/errors.ts';
import { imagenet1k } from '../labels/imagenet-1k.ts';
import { type LabelMap, resolveTargets } from '../labels/targets.ts';
import type { ModelDescription } from './define.ts';
import { loadLabels } from './label-sets.ts';
import { assumeClassOrder } from './labels.ts';

const imagenet = { name: 'net', labels: imagenet1k.names, wnids: imagenet1k.wnids, outputCount: 1000 };
const own = { name: 'net', labels: ['Good part', 'scratch', 'Dent-deep'], outputCount: 3 };
const resolve = (
  description: Parameters<typeof resolveTargets>[0]['description'],
  sample: { label?: string; targets?: number[] },
  labelMap?: LabelMap,
) => resolveTargets({ description, sample, labelMap });

describe('where a label meets an output', () => {
  it.each([
    ['n02088364', [162]],
    ['beagle', [162]],
    ['English_setter', [212]],
    ['Siamese', [284]],
    ['chihuahua', [151]],
    ['tench, Tinca tinca', [0]],
    ['Tinca tinca', [0]],
  ])('finds %s by name or wnid', (label, outputs) => {
    expect(resolve(imagenet, { label })).toEqual(outputs);
  });

  it('does not care for case, hyphens and underscores', () => {
    expect(resolve(own, { label: 'good_part' })).toEqual([0]);
    expect(resolve(own, { label: 'dent deep' })).toEqual([2]);
  });

  it('goes by name, then by the label map, then by the target', () => {
    expect(resolve(own, { label: 'scratch', targets: [2] }, { scratch: 0 })).toEqual([1]);
    expect(resolve(own, { label: 'kratzer', targets: [2] }, { kratzer: 'scratch' })).toEqual([1]);
    expect(resolve(own, { label: 'kratzer', targets: [2, 0, 2] })).toEqual([0, 2]);
    expect(resolve({ ...own, labelMap: { kratzer: 0 } }, { label: 'kratzer' }, { kratzer: 1 })).toEqual([0]);
  });

  it('takes several outputs, as indices, names and wnids', () => {
    expect(resolve(imagenet, { label: 'seat' }, { seat: ['n02791124', 559, 'rocking chair'] })).toEqual([
      423, 559, 765,
    ]);
    expect(resolve({ name: 'net', labels: undefined, outputCount: 10 }, { label: 'x' }, { x: '7' })).toEqual([7]);
  });

  it('leaves a name of several outputs to the label map or the target', () => {
    // A bird and a machine.
    expect(() => resolve(imagenet, { label: 'crane' })).toThrow(/'crane' names 2 outputs of net \(134, 517\)/);
    expect(resolve(imagenet, { label: 'crane', targets: [517] })).toEqual([517]);
    expect(resolve(imagenet, { label: 'crane' }, { crane: 134 })).toEqual([134]);
  });

  it('prefers a first name to another one', () => {
    // 'cock' is output 7; it is also no other's first name.
    expect(resolve({ name: 'n', labels: ['fowl, cock', 'cock, rooster'] }, { label: 'cock' })).toEqual([1]);
  });

  it.each([
    [{ label: 'unicorn' }, undefined, /net has no output for the label 'unicorn'/],
    [{}, undefined, /no label and no target/],
    [{ label: 'x' }, { x: 'unicorn' }, /labelMap gives 'unicorn' for 'x', which is not an output of net/],
    [{ label: 'x', targets: [3] }, undefined, /net has no output 3 .* its 3 outputs are numbered from 0/],
    [{ label: 'x', targets: [-1] }, undefined, /net has no output -1/],
  ])('costs the sample where nothing fits: %o', (sample, labelMap, message) => {
    expect(() => resolve(own, sample, labelMap)).toThrow(message);
    expect(() => resolve(own, sample, labelMap)).toThrow(SampleError);
  });
});

describe('a list of labels', () => {
  it("that is ImageNet's in another spelling can be met by wnid", () => {
    const names = imagenet1k.names.map((name) => name.split(',')[0].toUpperCase());
    const { wnids } = loadLabels(names, 'config.json', 'x.onnx');
    expect(
      resolveTargets({ description: { ...imagenet, labels: names, wnids }, sample: { label: 'n02088364' } }),
    ).toEqual([162]);
    expect(loadLabels([...names].reverse(), 'config.json', 'x.onnx').wnids).toBeUndefined();
  });
});

describe('a model without labels', () => {
  const bare = {
    name: 'net',
    kind: 'classifier',
    labels: undefined,
    outputCount: 3,
    warnings: [],
    identity: {},
  } as unknown as ModelDescription;
  it('takes the classes in alphabetical order where their number fits, and says so', () => {
    const assumed = assumeClassOrder(bare, ['c', 'a', 'b']);
    expect(assumed.labels).toEqual(['a', 'b', 'c']);
    expect(assumed.warnings).toEqual([
      expect.stringMatching(/3 outputs of net are taken for the dataset's classes in alphabetical order \(a, b, c\)/),
    ]);
    expect(resolveTargets({ description: assumed, sample: { label: 'c' } })).toEqual([2]);
  });
  it('is left alone otherwise', () => {
    expect(assumeClassOrder(bare, ['a', 'b'])).toBe(bare);
    expect(assumeClassOrder({ ...bare, labels: ['x', 'y', 'z'] }, ['a', 'b', 'c']).labels).toEqual(['x', 'y', 'z']);
  });
});
