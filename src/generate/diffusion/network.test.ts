import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openNetwork } from './network.ts';

const models = fileURLToPath(new URL('../../../test/fixtures/models/', import.meta.url));
// Logits of onnxruntime in Python for a drawn picture; made by test/fixtures/models/make_classifiers.py.
const open = (file: string) => openNetwork(`${models}${file}`, { threads: 1 });

describe('a network', () => {
  it('takes and gives numbers of half precision, on every version of Node', async () => {
    const [half, single] = await Promise.all([open('half.onnx'), open('nchw.onnx')]);
    const port = [...half.inputs.values()][0];
    expect(port.type).toBe('float16');
    const side = 64;
    const data = Float32Array.from({ length: 3 * side * side }, (_, i) => Math.sin(i / 7));
    const fixed = port.shape.slice(2).map((n) => (typeof n === 'number' ? n : side));
    const dims = [1, 3, fixed[0], fixed[1]];
    const values = { data: data.subarray(0, 3 * fixed[0] * fixed[1]), dims };
    const [answers] = await half.run({ [port.name]: values }, [half.outputs[0].name]);
    const [exact] = await single.run({ [[...single.inputs.keys()][0]]: values }, [single.outputs[0].name]);
    expect(answers).toBeInstanceOf(Float32Array);
    expect(answers).toHaveLength(exact.length);
    expect(Math.max(...answers) - Math.min(...answers)).toBeGreaterThan(0);
    expect(answers.every((value) => Number.isFinite(value) && Math.abs(value) < 1e4)).toBe(true);
    await Promise.all([half.close(), single.close()]);
  });

  it('finds weights that lie in a file of their own', async () => {
    expect(readFileSync(`${models}external.weights`).length).toBeGreaterThan(0);
    const network = await open('external.onnx');
    expect(network.outputs.length).toBeGreaterThan(0);
    await network.close();
  });

  it('says in one line what it was asked when it fails', async () => {
    const network = await open('nchw.onnx');
    const [name] = network.inputs.keys();
    await expect(network.run({ [name]: { data: [1], dims: [1] } }, [network.outputs[0].name])).rejects.toThrow(
      new RegExp(`nchw.onnx failed on ${name} \\[1\\]: .+`),
    );
    await network.close();
  });
});
