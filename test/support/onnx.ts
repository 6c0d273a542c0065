import onnxProto from 'onnx-proto';
import { randomFor } from '../../src/stats/random.ts';

const { onnx } = onnxProto;
const float = onnx.TensorProto.DataType.FLOAT;

interface ConvLayer {
  readonly channels: number;
  readonly kernel: number;
  readonly stride?: number;
}

export interface PlainNetOptions {
  readonly sizePx: number;
  readonly layers: readonly ConvLayer[];
  readonly outputs: number;
  readonly seed?: string;
}

/** A plain network (convolutions with ReLU, global average, linear layer) with seeded random weights, as ONNX bytes. */
export function plainNet({ sizePx, layers, outputs, seed = 'plain net' }: PlainNetOptions): Uint8Array {
  const random = randomFor(seed);
  const node: object[] = [];
  const initializer: object[] = [];
  const tensor = (name: string, dims: number[], scale: number) => {
    const values = Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => scale * random.normal());
    initializer.push({ name, dims, dataType: float, rawData: new Uint8Array(values.buffer) });
    return name;
  };
  let from = 'input';
  let channels = 3;
  for (const [i, layer] of layers.entries()) {
    const fanIn = channels * layer.kernel ** 2;
    const weight = tensor(`w${i}`, [layer.channels, channels, layer.kernel, layer.kernel], Math.sqrt(2 / fanIn));
    const bias = tensor(`b${i}`, [layer.channels], 0.1);
    const pad = (layer.kernel - 1) / 2;
    const stride = layer.stride ?? 1;
    node.push({
      opType: 'Conv',
      input: [from, weight, bias],
      output: [`c${i}`],
      attribute: [ints('pads', [pad, pad, pad, pad]), ints('strides', [stride, stride])],
    });
    node.push({ opType: 'Relu', input: [`c${i}`], output: [`r${i}`] });
    from = `r${i}`;
    channels = layer.channels;
  }
  node.push({ opType: 'GlobalAveragePool', input: [from], output: ['pooled'] });
  node.push({ opType: 'Flatten', input: ['pooled'], output: ['flat'] });
  const [weight, bias] = [tensor('w', [channels, outputs], Math.sqrt(1 / channels)), tensor('b', [outputs], 0.1)];
  node.push({ opType: 'Gemm', input: ['flat', weight, bias], output: ['output'] });
  return onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ domain: '', version: 13 }],
    producerName: 'sceneshift tests',
    graph: {
      name: 'net',
      node,
      initializer,
      input: [value('input', ['n', 3, sizePx, sizePx])],
      output: [value('output', ['n', outputs])],
    },
  } as never).finish();
}

/** A salient-object network that one can check by eye: what is redder than it is green stands out. */
export function redNet(sizePx = 64): Uint8Array {
  const weights = Float32Array.of(4, -4, 0);
  const node = [
    { opType: 'Conv', input: ['input', 'w'], output: ['c'] },
    { opType: 'Sigmoid', input: ['c'], output: ['map'] },
  ];
  return onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ domain: '', version: 13 }],
    producerName: 'sceneshift tests',
    graph: {
      name: 'red',
      node,
      initializer: [{ name: 'w', dims: [1, 3, 1, 1], dataType: float, rawData: new Uint8Array(weights.buffer) }],
      input: [value('input', ['n', 3, sizePx, sizePx])],
      output: [value('map', ['n', 1, sizePx, sizePx])],
    },
  } as never).finish();
}

const ints = (name: string, values: number[]) => ({ name, ints: values, type: onnx.AttributeProto.AttributeType.INTS });

const value = (name: string, dims: (string | number)[]) => ({
  name,
  type: {
    tensorType: {
      elemType: float,
      shape: { dim: dims.map((dim) => (typeof dim === 'string' ? { dimParam: dim } : { dimValue: dim })) },
    },
  },
});
