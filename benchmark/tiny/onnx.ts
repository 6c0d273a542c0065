import onnxProto from 'onnx-proto';
import type { Network } from './network.ts';

const { onnx } = onnxProto;
const float = onnx.TensorProto.DataType.FLOAT;

/** The network as an ONNX file: input `[n, 3, size, size]`, output `[n, outputs]` logits. */
export function toOnnx({ sizePx, layers, outputs, parameters }: Network): Uint8Array {
  const node: object[] = [];
  const initializer: object[] = [];
  const tensor = (name: string, dims: number[], values: Float32Array) => {
    initializer.push({ name, dims, dataType: float, rawData: new Uint8Array(values.slice().buffer) });
    return name;
  };
  let [from, channels] = ['input', 3];
  for (const [i, layer] of layers.entries()) {
    const weight = tensor(`w${i}`, [layer.channels, channels, layer.kernel, layer.kernel], parameters[2 * i]);
    const bias = tensor(`b${i}`, [layer.channels], parameters[2 * i + 1]);
    const pad = (layer.kernel - 1) / 2;
    node.push({
      opType: 'Conv',
      input: [from, weight, bias],
      output: [`c${i}`],
      attribute: [ints('pads', [pad, pad, pad, pad]), ints('strides', [layer.stride, layer.stride])],
    });
    node.push({ opType: 'Relu', input: [`c${i}`], output: [`r${i}`] });
    [from, channels] = [`r${i}`, layer.channels];
  }
  node.push({ opType: 'GlobalAveragePool', input: [from], output: ['pooled'] });
  node.push({ opType: 'Flatten', input: ['pooled'], output: ['flat'] });
  const [weight, bias] = parameters.slice(-2);
  node.push({
    opType: 'Gemm',
    input: ['flat', tensor('w', [outputs, channels], weight), tensor('b', [outputs], bias)],
    output: ['output'],
    attribute: [{ name: 'transB', i: 1, type: onnx.AttributeProto.AttributeType.INT }],
  });
  return onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ domain: '', version: 13 }],
    producerName: 'sceneshift demo',
    graph: {
      name: 'tiny',
      node,
      initializer,
      input: [value('input', ['n', 3, sizePx, sizePx])],
      output: [value('output', ['n', outputs])],
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
