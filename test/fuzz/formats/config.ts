import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/cli/config.ts';
import type { FuzzTarget } from '../fuzz.ts';
import { disturb, disturbText } from '../grammar.ts';

const whole = {
  data: 'photos',
  layout: 'image-folder',
  objects: 'largest',
  models: ['net.onnx', { model: 'b.onnx', name: 'b', labelMap: { cat: [1, 'tabby'] } }],
  labelMap: { Persian: 283 },
  scenarios: ['original', 'size:0.05'],
  seed: 1,
  limit: 10,
  folds: 5,
  maxErrors: 0.1,
  gates: [{ metric: 'drop', max: 0.1, bound: 'confidence' }],
};

export const configTarget: FuzzTarget = {
  name: 'config',
  make(random) {
    const text = stringify(random.uniform() < 0.7 ? disturb(whole, random, 0.04) : whole);
    return { 'sceneshift.yaml': random.uniform() < 0.4 ? disturbText(text, random) : text };
  },
  async feed(input) {
    const root = mkdtempSync(join(tmpdir(), 'sceneshift-fuzz-'));
    const leaked: string[] = [];
    const listen = (warning: Error) => leaked.push(warning.message);
    process.on('warning', listen);
    try {
      const file = join(root, 'sceneshift.yaml');
      writeFileSync(file, input['sceneshift.yaml']);
      await loadConfig(file, {});
    } finally {
      rmSync(root, { recursive: true, force: true });
      await new Promise((done) => setImmediate(done));
      process.off('warning', listen);
      // biome-ignore lint/correctness/noUnsafeFinally: a leaked warning is the fault looked for, whatever else happened
      if (leaked.length) throw new Error(`a warning of Node reaches the user: ${leaked[0]}`);
    }
  },
};
