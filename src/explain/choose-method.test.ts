import { describe, expect, it } from 'vitest';
import { describeModel } from '../models/open.ts';
import { chooseMethod } from './choose-method.ts';

const network = (name: string) => describeModel({ model: `benchmark/models/${name}.onnx` });

describe('chooseMethod', () => {
  it.each(['plain-biased-1', 'residual-unbiased-1', 'mobile-biased-1'])('%s: CAM, which is exact', async (name) => {
    const { method, why } = await chooseMethod(await network(name), { method: 'auto' });
    expect(method, why).toBe('cam');
  });

  it('a transformer: RISE, unless a map of its tokens is asked for', async () => {
    const transformer = await network('transformer-biased-1');
    expect((await chooseMethod(transformer, { method: 'auto' })).method).toBe('rise');
    expect((await chooseMethod(transformer, { method: 'cam' })).method).toBe('cam');
    expect((await chooseMethod(transformer, { method: 'eigen-cam' })).method).toBe('eigen-cam');
  });
});
