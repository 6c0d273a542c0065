import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plainNet } from '../../../test/support/onnx.ts';
import { randomFor } from '../../stats/random.ts';
import { describeOnnx } from './describe.ts';
import { editModel } from './edit.ts';
import { featureModel, featureOutput, tapFeatures } from './features.ts';
import { readGraph } from './graph.ts';
import { asFloats, openSession, Tensor } from './session.ts';
import { type GraphSpec, type NodeSpec, type TensorSpec, writeModel } from './write.ts';

const sizePx = 8;
const picture = Float32Array.from({ length: 3 * sizePx ** 2 }, (_, i) => Math.sin(i));
const record = { preprocessing: 'raw' as const, resize: { width: sizePx, height: sizePx } };

function put(bytes: Uint8Array, name = 'model.onnx'): string {
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-features-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

const random = randomFor('feature tests');
const tensor = (name: string, dims: number[]): TensorSpec => ({
  name,
  dims,
  values: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => random.normal()),
});
const net = (nodes: NodeSpec[], tensors: TensorSpec[], rest: Partial<GraphSpec> = {}): Uint8Array =>
  writeModel({
    name: 'net',
    producer: 'sceneshift tests',
    inputs: [{ name: 'input', shape: ['n', 3, sizePx, sizePx] }],
    outputs: [{ name: 'output', shape: ['n', 4] }],
    nodes,
    tensors,
    ...rest,
  });
const conv: NodeSpec[] = [
  { op: 'Conv', inputs: ['input', 'w0'], outputs: ['c0'] },
  { op: 'Relu', name: 'act', inputs: ['c0'], outputs: ['r0'] },
];
const pooled: NodeSpec[] = [
  ...conv,
  { op: 'GlobalAveragePool', inputs: ['r0'], outputs: ['pooled'] },
  { op: 'Flatten', inputs: ['pooled'], outputs: ['flat'] },
];
const w0 = tensor('w0', [5, 3, 3, 3]);

async function outputs(path: string, bytes?: Uint8Array): Promise<Record<string, Float32Array>> {
  const session = await openSession({ path, quantized: false, threads: 1, bytes });
  const answers = await session.run({ input: new Tensor('float32', picture, [1, 3, sizePx, sizePx]) });
  await session.release();
  return Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, asFloats(value)]));
}

async function tapped(bytes: Uint8Array, layer?: string) {
  const path = put(bytes);
  const described = await describeOnnx(path, { settings: { preprocessing: record } });
  const tap = await tapFeatures(described, layer);
  const features = (await outputs(path, featureModel(path, tap, 'n')))[featureOutput];
  return { path, tap, features, delivered: (await outputs(path)).output };
}

describe('the penultimate layer', () => {
  it('is what the last Gemm takes: its weights times the features are the answers', async () => {
    const [weights, bias] = [tensor('w', [4, 5]), tensor('b', [4])];
    const gemm: NodeSpec = { op: 'Gemm', inputs: ['flat', 'w', 'b'], outputs: ['output'], attributes: { transB: 1 } };
    const { tap, features, delivered } = await tapped(net([...pooled, gemm], [w0, weights, bias]));
    expect(tap).toMatchObject({ layer: 'flat', features: 5 });
    const again = Array.from(delivered, (_, k) =>
      features.reduce((sum, value, j) => sum + value * Number(weights.values[k * 5 + j]), Number(bias.values[k])),
    );
    for (const [k, value] of again.entries()) expect(value).toBeCloseTo(delivered[k], 4);
  });

  it('is found behind a bias, a squashing function and a product with the weights first', async () => {
    const nodes: NodeSpec[] = [
      ...pooled,
      { op: 'MatMul', inputs: ['flat', 'w'], outputs: ['m'] },
      { op: 'Add', inputs: ['b', 'm'], outputs: ['a'] },
      { op: 'Softmax', inputs: ['a'], outputs: ['output'], attributes: { axis: -1 } },
    ];
    const { tap } = await tapped(net(nodes, [w0, tensor('w', [5, 4]), tensor('b', [4])]));
    expect(tap).toMatchObject({ layer: 'flat', features: 5 });
  });

  it('is averaged over the area where the classifier is a 1 × 1 convolution', async () => {
    const nodes: NodeSpec[] = [
      ...conv,
      { op: 'Conv', inputs: ['r0', 'w'], outputs: ['maps'] },
      { op: 'GlobalAveragePool', inputs: ['maps'], outputs: ['mean'] },
      { op: 'Flatten', inputs: ['mean'], outputs: ['output'] },
    ];
    const weights = tensor('w', [4, 5, 1, 1]);
    const { tap, features, delivered } = await tapped(net(nodes, [w0, weights]));
    expect(tap).toMatchObject({ layer: 'r0', features: 5 });
    const first = features.reduce((sum, value, j) => sum + value * Number(weights.values[j]), 0);
    expect(first).toBeCloseTo(delivered[0], 4);
  });

  it('is scaled back from 8 bits', async () => {
    const scalar = (name: string, value: number): TensorSpec => ({ name, dims: [], values: Float32Array.of(value) });
    const zero = (name: string, value: number): TensorSpec => ({ name, dims: [], values: Uint8Array.of(value) });
    const weights: TensorSpec = { name: 'w', dims: [5, 4], values: Uint8Array.from({ length: 20 }, (_, i) => i * 12) };
    const nodes: NodeSpec[] = [
      ...pooled,
      { op: 'QuantizeLinear', inputs: ['flat', 's', 'z'], outputs: ['q'] },
      { op: 'QLinearMatMul', inputs: ['q', 's', 'z', 'w', 'sw', 'zw', 'so', 'zo'], outputs: ['qo'] },
      { op: 'DequantizeLinear', inputs: ['qo', 'so', 'zo'], outputs: ['output'] },
    ];
    const tensors = [
      w0,
      weights,
      scalar('s', 0.02),
      zero('z', 3),
      scalar('sw', 0.01),
      zero('zw', 128),
      scalar('so', 0.05),
      zero('zo', 128),
    ];
    const { tap, features, path } = await tapped(net(nodes, tensors));
    expect(tap).toMatchObject({ layer: 'q', features: 5 });
    expect(tap.nodes[0]).toMatchObject({ op: 'DequantizeLinear', inputs: ['q', 's', 'z'] });
    // Eight bits: every feature is a whole number of steps, within half a step of the float it stands for.
    for (const value of features) expect(value / 0.02).toBeCloseTo(Math.round(value / 0.02), 3);
    const float = await tapFeatures(await describeOnnx(path, { settings: { preprocessing: record } }), 'flat');
    const plain = (await outputs(path, featureModel(path, float, 'n')))[featureOutput];
    for (const [j, value] of features.entries())
      if (plain[j] < 5) expect(Math.abs(value - plain[j])).toBeLessThan(0.0101);
  });

  it('can be chosen by the name of a value or of a node', async () => {
    const bytes = plainNet({
      sizePx,
      layers: [
        { channels: 5, kernel: 3 },
        { channels: 6, kernel: 3 },
      ],
      outputs: 4,
    });
    expect((await tapped(bytes, 'r0')).tap).toMatchObject({ layer: 'r0', features: 5 });
    const gemm: NodeSpec = { op: 'Gemm', inputs: ['flat', 'w'], outputs: ['output'] };
    expect((await tapped(net([...pooled, gemm], [w0, tensor('w', [5, 4])]), 'act')).tap.layer).toBe('r0');
  });

  it('averages tokens, in files of either way to write it', async () => {
    const nodes: NodeSpec[] = [
      { op: 'Reshape', inputs: ['input', 'shape'], outputs: ['tokens'] },
      { op: 'Flatten', inputs: ['tokens'], outputs: ['row'] },
      { op: 'MatMul', inputs: ['row', 'w'], outputs: ['output'] },
    ];
    const shape: TensorSpec = { name: 'shape', dims: [3], values: BigInt64Array.from([0n, 12n, 16n]) };
    for (const opset of [13, 18]) {
      const { tap, features } = await tapped(net(nodes, [shape, tensor('w', [192, 4])], { opset }), 'tokens');
      expect(tap.features).toBe(16);
      const mean = Array.from({ length: 12 }, (_, t) => picture[t * 16]).reduce((a, b) => a + b, 0) / 12;
      expect(features[0]).toBeCloseTo(mean, 5);
    }
  });

  it('says what there is to choose from where no linear layer ends the graph', async () => {
    const nodes: NodeSpec[] = [
      ...pooled,
      { op: 'Gather', inputs: ['flat', 'some'], outputs: ['output'], attributes: { axis: 1 } },
    ];
    const some: TensorSpec = { name: 'some', dims: [4], values: BigInt64Array.from([0n, 1n, 2n, 3n]) };
    await expect(tapped(net(nodes, [w0, some]))).rejects.toThrow(/stops at Gather.*--layer, one of .*flat, pooled/s);
    await expect(tapped(net(nodes, [w0, some]), 'nowhere')).rejects.toThrow(/no layer 'nowhere' .*flat/s);
  });
});

describe('editModel', () => {
  const { onnx } = onnxProto;
  const bytes = plainNet({ sizePx, layers: [{ channels: 5, kernel: 3 }], outputs: 4 });

  it('keeps everything it is not asked to change, known or not', () => {
    // Field 99 of the model and of the graph: nobody knows it, nobody may lose it.
    const unknown = Uint8Array.from([((99 << 3) & 0x7f) | 0x80 | 2, (99 << 3) >> 7, 3, 7, 8, 9]);
    const path = put(Uint8Array.from([...bytes, ...unknown]));
    const edited = editModel(path, { outputs: [{ name: 'output', shape: ['n', 4] }] });
    expect(Buffer.from(edited).includes(Buffer.from(unknown))).toBe(true);
    expect(onnx.ModelProto.decode(edited).toJSON()).toEqual(onnx.ModelProto.decode(bytes).toJSON());
  });

  it('leaves out what the new outputs do not need', () => {
    const edited = readGraph(editModel(put(bytes), { outputs: [{ name: 'flat' }] }), 'edited');
    expect(edited.nodes.map(({ op }) => op)).toEqual(['Conv', 'Relu', 'GlobalAveragePool', 'Flatten']);
    expect([...edited.weights].sort()).toEqual(['b0', 'w0']);
  });

  it('takes in weights from files beside the model', async () => {
    const model = onnx.ModelProto.decode(bytes);
    const weights = model.graph?.initializer?.[0] as { rawData: Uint8Array; name: string };
    const raw = Buffer.from(weights.rawData);
    const external = {
      ...weights,
      rawData: undefined,
      dataLocation: 1,
      externalData: [
        { key: 'location', value: 'weights.bin' },
        { key: 'offset', value: '16' },
        { key: 'length', value: String(raw.length) },
      ],
    };
    const graph = { ...model.graph, initializer: [external, ...(model.graph?.initializer?.slice(1) ?? [])] };
    const path = put(onnx.ModelProto.encode({ ...model, graph } as never).finish());
    writeFileSync(join(path, '..', 'weights.bin'), Buffer.concat([Buffer.alloc(16, 255), raw]));
    const edited = editModel(path, { outputs: [{ name: 'output', shape: ['n', 4] }] });
    expect(readGraph(edited, 'edited').externalData).toEqual([]);
    expect((await outputs(path, edited)).output).toEqual((await outputs(put(bytes))).output);
  });
});
