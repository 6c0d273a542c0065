import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openInputs, threadsFrom } from './inputs.ts';
import { makePlan } from './plan.ts';
import { parseConfig } from './settings.ts';

describe('a manifest of which nothing can be used', () => {
  it('says what is wrong with it, not that its labels fit no model', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'inputs-'));
    const data = join(folder, 'manifest.jsonl');
    await writeFile(data, 'garbage\n{"image": ""}\n');
    await expect(openInputs(parseConfig({ data }, 'test'), { version: 'test' })).rejects.toThrow(
      /^No entry of .*manifest\.jsonl can be used: .+ \(and 1 more\)$/,
    );
    await rm(folder, { recursive: true });
  });
});

it('says which column of a manifest may be the misspelt label', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inputs-'));
  const data = join(folder, 'manifest.csv');
  await cp('benchmark/images/teapot/012.jpg', join(folder, 'a.jpg'));
  await writeFile(data, 'image,lable\na.jpg,teapot\n');
  const config = parseConfig(
    { data, models: ['benchmark/models/plain-biased-1.onnx'], scenarios: ['original'] },
    'test',
  );
  const inputs = await openInputs(config, { version: 'test' });
  await expect(makePlan(inputs)).rejects.toThrow(
    /the samples have no label and no target; column 'lable' is not used; is it 'label'\?/,
  );
  await rm(folder, { recursive: true });
});

describe('--threads', () => {
  it('is what was given, else all cores', () => {
    expect(threadsFrom(undefined)).toBe(availableParallelism());
    expect(threadsFrom(1)).toBe(1);
    expect(threadsFrom(256)).toBe(256);
  });

  it.each([0, -1, 2.5, 257, 300, Number.NaN])('refuses %s by name', (given) => {
    expect(() => threadsFrom(given)).toThrow(/^Expected a whole number from 1 to 256 for --threads but received /);
  });
});
