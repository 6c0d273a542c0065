import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
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

describe('models inspect --data', () => {
  const benchmark = new URL('../../../benchmark', import.meta.url).pathname;
  const model = (record: Record<string, unknown>) => {
    const folder = mkdtempSync(join(tmpdir(), 'inspect-'));
    copyFileSync(join(benchmark, 'models/plain-unbiased-1.onnx'), join(folder, 'model.onnx'));
    const own = JSON.parse(readFileSync(join(benchmark, 'models/plain-unbiased-1.json'), 'utf8'));
    writeFileSync(join(folder, 'model.json'), JSON.stringify({ ...own, ...record }));
    return join(folder, 'model.onnx');
  };
  const trial = async (record: Record<string, unknown>, photographs = 8) =>
    inspect(model(record), '--data', benchmark, '--photographs', String(photographs));

  it('finds nothing against a preprocessing that is right', async () => {
    const { out, status } = await trial({});
    expect(status).toBe(0);
    expect(out).toMatch(/Preprocessings on 8 photographs, best first/);
    expect(out).toMatch(/← as it is run/);
    expect(out).toMatch(/✓ Nothing speaks against the preprocessing it is run with: right on \d/);
  });

  it('finds a better one where the record is wrong, and says what to write', async () => {
    const { out } = await trial({ scale: 1 }, 24);
    expect(out).toMatch(
      /! Another preprocessing is right on \d.* \(P (< 0\.0001|= 0\.00\d{2}), corrected for \d+ trials/s,
    );
    const record = JSON.parse(out.trim().split('\n').at(-1) ?? '');
    expect(record).toMatchObject({ scale: 1 / 255, mean: [0.485, 0.456, 0.406], crop: 128 });
    expect(await trial(record)).toMatchObject({ out: expect.stringMatching(/✓ Nothing speaks against/) });
  });

  it('looks at the labels where no preprocessing helps', async () => {
    const own = JSON.parse(readFileSync(join(benchmark, 'models/plain-unbiased-1.json'), 'utf8'));
    const [first, ...rest] = own.labels as string[];
    const { out } = await trial({ labels: [...rest, first] });
    expect(out).toMatch(/! Under none of \d+ preprocessings .* look at the labels and the order of the outputs first/);
  });

  it('has nothing to try for other kinds', async () => {
    const tried = inspect(fixture('clip'), '--labels', 'cat', '--labels', 'dog', '--data', benchmark);
    await expect(tried).rejects.toThrow(/--data tries preprocessings on ONNX classifiers; clip is a clip/);
  });
});

describe('models inspect --config', () => {
  it('shows what the settings make of their models', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inspect-'));
    copyFileSync(fixture('nchw.onnx'), join(folder, 'model.onnx'));
    const config = join(folder, 'sceneshift.yaml');
    writeFileSync(config, 'models:\n  - { model: ./model.onnx, name: ours, preprocessing: raw }\n  - ./model.onnx\n');
    const { out } = await inspect('--config', config);
    expect(out).toMatch(
      /^ours · classifier\n.*picture +stretch to 32 × 32, bilinear {3}\[the config\].*\n\nmodel · classifier/s,
    );
    expect((await inspect('ours', '--config', config, '--json')).out).toMatch(/"scale": ?1,/);
    await expect(inspect('theirs', '--config', config)).rejects.toThrow(/has no model 'theirs'; it has ours, /);
    await expect(inspect()).rejects.toThrow(/Expected a MODEL, or --config FILE/);
  });
});
