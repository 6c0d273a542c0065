import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { scenarios } from '../../src/scenarios/registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('docs/architecture.md', () => {
  it('draws the layers as the imports are', async () => {
    const script = join(root, 'scripts/docs-layers.mjs');
    await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toMatchObject({ stderr: '' });
  });

  it('names files that are there', () => {
    const named = [...read('docs/architecture.md').matchAll(/`((?:src|scripts)\/[\w/.-]+)`/g)].map(([, file]) => file);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe('counts in the README', () => {
  const words = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(' ');
  const inWords = (count: number) => words[count] ?? String(count);
  const rows = read('benchmark/manifest.csv')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const distinct = (column: number) => new Set(rows.map((row) => row[column])).size;

  it('are those of the benchmark', () => {
    const networks = readdirSync(join(root, 'benchmark/models')).filter((name) => name.endsWith('.onnx')).length;
    expect(read('README.md')).toContain(`${inWords(distinct(2))} ImageNet classes in ${inWords(distinct(4))} places`);
    expect(read('README.md')).toContain(`what ${inWords(networks)} networks said`);
  });

  it('and of the scenarios', () => {
    expect(read('README.md')).toContain(`${scenarios.length} edits of background`);
  });

  it('every page it links to is there', () => {
    const linked = [...read('README.md').matchAll(/\]\(([\w/.-]+)\)/g)].map(([, file]) => file);
    expect(linked.length).toBeGreaterThan(30);
    expect(linked.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
