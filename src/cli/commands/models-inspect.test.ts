import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fixture } from '../../../test/fixtures/models/pattern.ts';
import { type Command, runCommand } from '../command.ts';
import { modelsInspect } from './models-inspect.ts';

afterEach(() => void vi.restoreAllMocks());

async function inspect(...argv: string[]) {
  let out = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  const status = await runCommand(modelsInspect as Command, argv);
  return { out, status };
}

describe('models inspect', () => {
  it('shows what a model is, what is guessed, and that it runs', async () => {
    const { out, status } = await inspect(fixture('int8-operators.onnx'));
    expect(status).toBe(0);
    expect(out).toMatch(/^int8-operators · classifier\n/);
    expect(out).toMatch(/input +pixels {2}float32 \[N, 3, 32, 32\]/);
    expect(out).toMatch(/int8 +run (with session.x64quantprecision=1|as they are): 8-bit products (do not )?saturate/);
    expect(out).toMatch(/picture +short side to 36, bilinear, then centre crop 32 × 32 {3}\[imagenet \(assumed\)\]/);
    expect(out).toMatch(/ran once +[\d.]+ ms for a generated picture on 1 thread; gave \[1, 5\] from/);
    expect(out).toMatch(/! no preprocessing is stated/);
  });

  it('gives all of it as JSON, and nothing else', async () => {
    const { out } = await inspect(fixture('softmax.onnx'), '--json');
    const result = JSON.parse(out);
    expect(result).toMatchObject({
      kind: 'classifier',
      outputs: 'probabilities',
      outputCount: 5,
      graph: { operators: { Softmax: 1 }, parameters: 491 },
      from: { outputs: 'the graph ends in Softmax' },
      trial: { dims: [1, 5], sumsToOne: true },
    });
    expect(result.preprocessing.crop).toEqual({ width: 32, height: 32, offset: 'even' });
  });

  it('shows the graph even where its record does not fit, and ends with status 2', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inspect-'));
    copyFileSync(fixture('nchw.onnx'), join(folder, 'model.onnx'));
    writeFileSync(join(folder, 'model.json'), '{ "crop": 224, "resize": { "shortSide": 256 } }');
    const { out, status } = await inspect(join(folder, 'model.onnx'));
    expect(status).toBe(2);
    expect(out).toMatch(/operators +5: Conv 1/);
    expect(out).toMatch(
      /✗ the model's input 'pixels' takes 32 × 32 pixels \(width × height\), but model.json makes 224 × 224/,
    );
  });

  it('describes zero-shot models by the labels they are given', async () => {
    const { out } = await inspect(fixture('clip'), '--labels', 'cat', '--labels', 'dog');
    expect(out).toMatch(/clip · clip/);
    expect(out).toMatch(/labels +2: cat, dog/);
  });
});
