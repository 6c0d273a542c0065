import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../../test/fixtures/models/pattern.ts';
import { UserError } from '../../contracts/errors.ts';
import { producerOf, readGraph } from './graph.ts';

const read = (name: string) => readGraph(readFileSync(fixture(name)), name);

describe('the graph of an ONNX file', () => {
  it('says what goes in, what comes out and what is between', () => {
    const graph = read('nchw.onnx');
    expect(graph).toMatchObject({
      producer: 'sceneshift-fixtures',
      irVersion: 8,
      opset: 17,
      quantized: false,
      externalData: [],
    });
    expect(graph.inputs).toEqual([{ name: 'pixels', type: 'float32', shape: ['N', 3, 32, 32] }]);
    expect(graph.outputs).toEqual([{ name: 'scores', type: 'float32', shape: ['N', 5] }]);
    expect(graph.operators).toEqual({ Conv: 1, Flatten: 1, Gemm: 1, GlobalAveragePool: 1, Relu: 1 });
    // Convolution 6 × 3 × 5 × 5 + 6, head 5 × 6 + 5.
    expect(graph.parameters).toBe(450 + 6 + 30 + 5);
    expect(graph.weightTypes).toEqual({ float32: 491 });
  });

  it('finds types, open shapes, outside weights and quantisation', () => {
    expect(read('half.onnx').inputs[0].type).toBe('float16');
    expect(read('bytes.onnx').inputs[0]).toMatchObject({ type: 'uint8', shape: ['N', 32, 32, 3] });
    expect(read('share.onnx').outputs[0].shape).toBeUndefined();
    expect(read('open-size.onnx').inputs[0].shape).toEqual(['N', 'C', 'H', 'W']);
    expect(read('external.onnx')).toMatchObject({ externalData: ['external.weights'], parameters: 491 });
    expect(read('segment-indices.onnx').outputs[0]).toEqual({ name: 'map', type: 'int64', shape: ['N', 16, 16] });
    expect(read('int8-operators.onnx')).toMatchObject({ quantized: true, dynamicallyQuantized: false });
    expect(read('int8-qdq.onnx')).toMatchObject({ quantized: true, dynamicallyQuantized: false });
    expect(read('int8-dynamic.onnx')).toMatchObject({ quantized: true, dynamicallyQuantized: true });
  });

  it('looks behind operators that only change the form', () => {
    expect(producerOf(read('softmax.onnx'), 'scores')).toBe('Softmax');
    expect(producerOf(read('int8-qdq.onnx'), 'scores')).toBe('Gemm');
    expect(producerOf(read('nchw.onnx'), 'pixels')).toBeUndefined();
  });

  it('cut anywhere is told in one line, or read as far as it is whole', () => {
    const bytes = readFileSync(fixture('softmax.onnx'));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), (length) => {
        try {
          readGraph(bytes.subarray(0, length), 'cut.onnx');
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
          expect((error as Error).message).toMatch(/^cut.onnx is (empty|not )/);
        }
      }),
    );
  });

  it('damaged anywhere never breaks the reader', () => {
    const bytes = readFileSync(fixture('softmax.onnx'));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const copy = Uint8Array.from(bytes);
        copy[at] = value;
        try {
          readGraph(copy, 'damaged.onnx');
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
    );
  });
});
