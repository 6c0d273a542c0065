import type { FeatureLayer } from '../../models/onnx/feature-layer.ts';
import { floatType, type NodeSpec } from '../../models/onnx/write.ts';

/** Nodes that hand a value of the graph out as float32 under another name: 8-bit values scaled back first. */
export function tapNodes({ value, quantized }: FeatureLayer, name: string): NodeSpec[] {
  const nodes: NodeSpec[] = [];
  let from = value;
  if (quantized) {
    from = `${name}/dequantised`;
    const { scale, zeroPoint } = quantized;
    const inputs = zeroPoint ? [value, scale, zeroPoint] : [value, scale];
    nodes.push({ op: 'DequantizeLinear', inputs, outputs: [from] });
  }
  return [...nodes, { op: 'Cast', inputs: [from], outputs: [name], attributes: { to: floatType } }];
}

const float16Type = 10;

/** The way back: float32 under `name` becomes the graph's own value again. */
export function feedNodes({ value, quantized }: FeatureLayer, name: string, type: 'float32' | 'float16'): NodeSpec {
  if (!quantized)
    return {
      op: 'Cast',
      inputs: [name],
      outputs: [value],
      attributes: { to: type === 'float32' ? floatType : float16Type },
    };
  const { scale, zeroPoint } = quantized;
  return { op: 'QuantizeLinear', inputs: zeroPoint ? [name, scale, zeroPoint] : [name, scale], outputs: [value] };
}
