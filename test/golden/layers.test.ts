import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const { findFaults } = await import(new URL('../../scripts/layers.mjs', import.meta.url).href);
const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** What is said of a repository of these files. */
function look(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'layers-'));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return findFaults(root);
}

const sound = {
  'src/cli/main.ts': "import { z } from 'zod';\nimport { score } from '../metrics/score.ts';\n",
  'src/metrics/score.ts': "import { readFileSync } from 'node:fs';\nimport type { Rows } from './rows.ts';\n",
  'src/metrics/rows.ts': "import type { Score } from './score.ts';\nimport { fault } from '../contracts/errors.ts';\n",
  'src/contracts/errors.ts': "import { z } from 'zod';\nimport type { Name } from './name.ts';\n",
  'src/contracts/errors.test.ts': "import { expect } from 'vitest';\nimport { readFile } from 'node:fs';\n",
  'src/contracts/name.ts': "export type Name = string;\n",
  'src/stats/mean.ts': 'export const mean = 0;\n',
  'src/image/raster.ts': 'export const raster = 0;\n',
  'test/support/rows.ts': 'export const rows = 0;\n',
};

it('lets imports be that go to the tiers before, circles of types alone, and tests of contracts', () => {
  expect(look(sound)).toEqual([]);
});

it('does not call good what it has not read', () => {
  expect(look({ 'src/cli/main.js': "import '../metrics/score.ts';\n" })).toEqual([expect.stringContaining('no import was found')]);
});

it.each([
  ['in one line', 'src/metrics/a.ts', "import { a } from '../cli/main.ts';"],
  ['over several lines', 'src/metrics/a.ts', "import {\n  a,\n  type B,\n} from '../cli/main.ts';"],
  ['for its effect', 'src/metrics/a.ts', "import '../cli/main.ts';"],
  ['of types', 'src/metrics/a.ts', "import type { A } from '../cli/main.ts';"],
  ['of a type in place', 'src/metrics/a.ts', "export let a: import('../cli/main.ts').A;"],
  ['later', 'src/metrics/a.ts', "export const a = async () => (await import('../cli/main.ts')).a;"],
  ['of what is exported again', 'src/metrics/a.ts', "export { a } from '../cli/main.ts';"],
  ['of all that is exported again', 'src/metrics/a.ts', "export * from '../cli/main.ts';"],
  ['after a comment and other code', 'src/metrics/a.ts', "// it's\nconst b = `'`;\nimport { a } from '../cli/main.ts';"],
  ['in a test', 'src/metrics/a.test.ts', "import { a } from '../cli/main.ts';"],
])('names an import upwards %s', (_how, file, text) => {
  const faults = look({ ...sound, [file]: `${text}\n` });
  expect(faults[0]).toBe(`${file} → src/cli/main.ts: imports go to the tiers before alone`);
});

it('names an import of a folder beside, in the same tier', () => {
  const faults = look({ ...sound, 'src/image/a.ts': "import { mean } from '../stats/mean.ts';\n" });
  expect(faults).toEqual(['src/image/a.ts → src/stats/mean.ts: imports go to the tiers before alone']);
});

it.each(['node:fs', 'sharp', 'zodiac'])('names %s where contracts import it', (name) => {
  const faults = look({ ...sound, 'src/contracts/a.ts': `import { a } from '${name}';\n` });
  expect(faults).toEqual([`src/contracts/a.ts → ${name}: contracts import zod alone`]);
});

it('names what closes a circle, also one that leads through types, three files or a test’s support', () => {
  const a = "import './b.ts';\n";
  const closing = (files: Record<string, string>) => look({ ...sound, 'src/run/a.ts': a, ...files });
  expect(closing({ 'src/run/b.ts': "import './a.ts';\n" })).toHaveLength(2);
  expect(closing({ 'src/run/b.ts': "import type { A } from './a.ts';\n" })).toEqual([
    'src/run/a.ts → src/run/b.ts: leads back to where it came from',
  ]);
  const b = { 'src/run/b.ts': "import './c.ts';\n" };
  expect(closing({ ...b, 'src/run/c.ts': "export const a = () => import('./a.ts');\n" })).toHaveLength(3);
  expect(closing({ ...b, 'src/run/c.ts': '' })).toEqual([]);
  const test = { 'src/run/a.test.ts': "import '../../test/support/rows.ts';\n" };
  expect(closing({ ...test, 'test/support/rows.ts': "import '../../src/run/a.test.ts';\n" })).toHaveLength(2);
});
