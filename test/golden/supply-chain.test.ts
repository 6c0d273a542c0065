import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = (name: string, ...args: string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', name), ...args], { encoding: 'utf8' });
  return { status, stderr };
};
const quiet = { status: 0, stderr: '' };

let other: string;
beforeEach(() => {
  other = mkdtempSync(join(tmpdir(), 'supply-'));
});
afterEach(() => rmSync(other, { recursive: true, force: true }));
const put = (path: string, text: string) => {
  mkdirSync(join(other, path, '..'), { recursive: true });
  writeFileSync(join(other, path), text);
};

describe('embedded pictures and weights', () => {
  it('are all listed with hash, origin and licence', () => {
    expect(script('provenance.mjs', '--check')).toEqual(quiet);
    expect(readFileSync(join(root, 'benchmark/PROVENANCE.csv'), 'utf8')).toMatch(/^models\/plain-biased-1\.onnx,/m);
  });

  it('one that was changed, added or taken away is named', () => {
    put('benchmark/images/a.jpg', 'picture');
    put('benchmark/models/a.onnx', 'weights');
    const check = () => script('provenance.mjs', '--root', other, '--check');
    expect(script('provenance.mjs', '--root', other)).toEqual(quiet);
    expect(check()).toEqual(quiet);
    put('benchmark/models/a.onnx', 'weight.');
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('does not tell of models/a.onnx') });
    put('benchmark/models/a.onnx', 'weights');
    put('benchmark/images/b.jpg', 'another');
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('images/b.jpg') });
    rmSync(join(other, 'benchmark/images'), { recursive: true });
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('images/a.jpg') });
    put('benchmark/found/c.onnx', 'from somewhere');
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('found/c.onnx has no known origin') });
  });
});

describe('licences of what is shipped', () => {
  const lock = (packages: Record<string, object>) => {
    const page = Object.fromEntries(
      ['preact', '@preact/signals', '@preact/signals-core'].map((name) => [
        `node_modules/${name}`,
        { version: '1.0.0', license: 'MIT', dev: true },
      ]),
    );
    mkdirSync(join(other, 'docs'), { recursive: true });
    put('package-lock.json', JSON.stringify({ packages: { ...page, ...packages } }));
    return script('licences.mjs', '--root', other);
  };

  it('are all on the list, and listed', () => {
    expect(script('licences.mjs', '--check')).toEqual(quiet);
  });

  it.each([
    ['MIT', quiet],
    ['(MIT OR GPL-3.0)', quiet],
    ['Apache-2.0 AND MIT', quiet],
    ['GPL-3.0', { status: 1, stderr: '✗ new is under GPL-3.0, which is not on the list in scripts/licences.mjs\n' }],
    ['MIT AND GPL-3.0', { status: 1, stderr: expect.stringContaining('new is under MIT AND GPL-3.0') }],
    ['LGPL-3.0-or-later', { status: 1, stderr: expect.stringContaining('new is under LGPL') }],
    [undefined, { status: 1, stderr: expect.stringContaining('new does not say its licence') }],
  ])('%s is judged', (license, wanted) => {
    expect(lock({ 'node_modules/new': { version: '2.0.0', license } })).toEqual(wanted);
  });

  it('ask nothing of what is only developed with; a new one makes the page out of date', () => {
    expect(lock({ 'node_modules/tool': { version: '1.0.0', license: 'GPL-3.0', dev: true } })).toEqual(quiet);
    const before = readFileSync(join(other, 'docs/licences.md'), 'utf8');
    lock({ 'node_modules/new': { version: '2.0.0', license: 'MIT' } });
    expect(readFileSync(join(other, 'docs/licences.md'), 'utf8')).toContain('| new | 2.0.0 | MIT |');
    put('docs/licences.md', before);
    expect(script('licences.mjs', '--root', other, '--check')).toMatchObject({ status: 1 });
  });
});

it('the bill of materials names every package and every embedded file', () => {
  const file = join(other, 'bill.json');
  expect(script('sbom.mjs', file)).toMatchObject({ status: 0 });
  const bill = JSON.parse(readFileSync(file, 'utf8'));
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
  const names = new Set(bill.components.map(({ name }: { name: string }) => name));
  for (const name of ['sharp', 'onnxruntime-node', 'd3', 'preact', 'benchmark/models/plain-biased-1.onnx'])
    expect(names).toContain(name);
  for (const name of ['vitest', 'typescript', 'vite']) expect(names).not.toContain(name);
});
