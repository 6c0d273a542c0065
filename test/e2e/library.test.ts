import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { installPacked, type PackedPackage } from '../support/packed.ts';

const exec = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** The programs of docs/library.md by their headings, in their order; later ones read what earlier ones wrote. */
const page = await readFile(join(root, 'docs/library.md'), 'utf8');
const programs = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    texts: [...section.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text]) => text),
  }));

/** What each program prints; one without a line here fails. Twelve classes, three of each, four scenarios, two models: 288. */
const printed: Record<string, RegExp[]> = {
  'Edit a picture in memory': [/^acoustic guitar: \d+×\d+\n$/],
  'Run models': [/^288 answers\n288 0 plain-biased-1 plain-unbiased-1\n$/],
  'Read a run': [
    /plain-biased-1 .*original 0\.\d+.*plain-biased-1 against plain-unbiased-1\n.*accuracy ~ model \+ scenario.*\|/s,
  ],
  'Plugins in a program': [/^\d+\n$/, /^true Expected a known scenario or preset .*did you mean blur-background\?\n$/],
};

describe('the packed package in an empty folder', () => {
  let packed: PackedPackage;
  beforeAll(async () => {
    packed = await installPacked();
    return packed.remove;
  });

  const cases = programs.flatMap(({ title, texts }) =>
    texts.map((text, i): [string, string, RegExp | undefined] => [`${title} ${i + 1}`, text, printed[title]?.[i]]),
  );

  it('holds what it needs, and nothing of how it is made', () => {
    const parts = new Set(
      packed.files.map((file) =>
        file
          .split('/')
          .slice(0, file.startsWith('benchmark') ? 2 : 1)
          .join('/'),
      ),
    );
    expect([...parts].sort()).toEqual([
      ...[
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'benchmark/README.md',
        'benchmark/backgrounds',
        'benchmark/diffusion',
        'benchmark/generated',
      ],
      ...[
        'benchmark/images',
        'benchmark/manifest.csv',
        'benchmark/masks',
        'benchmark/models',
        'bin',
        'dist',
        'examples',
      ],
      'package.json',
    ]);
    for (const file of [
      'dist/NOTICES.txt',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/worker.js',
      'dist/studio/index.html',
    ])
      expect(packed.files).toContain(file);
    expect(
      packed.files.filter((file) => /(?<!\.d)\.ts$|\.test\.|\.map$|\.partial$|\.tsbuildinfo$|__pycache__/.test(file)),
    ).toEqual([]);
  });

  it('finds the programs of the page', () => {
    expect(cases.map(([title]) => title)).toEqual(
      Object.entries(printed).flatMap(([title, lines]) => lines.map((_, i) => `${title} ${i + 1}`)),
    );
  });

  it.each(cases)('runs as it stands: %s', async (title, program, output) => {
    const file = join(packed.home, `${title.replaceAll(' ', '-')}.mjs`);
    await writeFile(file, program);
    const { stdout } = await exec(process.execPath, [file], { cwd: packed.home });
    expect(stdout).toMatch(output ?? /^never$/);
  });

  it('has the command line, with the worker threads and the example plugin', async () => {
    const benchmark = 'node_modules/sceneshift/benchmark';
    const { stdout } = await exec(
      process.execPath,
      [
        ...[
          packed.bin,
          'run',
          '--data',
          `${benchmark}/manifest.csv`,
          '--model',
          `${benchmark}/models/plain-biased-1.onnx`,
        ],
        ...['--plugin', 'node_modules/sceneshift/examples/plugins/sepia.mjs', '--scenarios', 'original,sepia'],
        ...['--limit', '4', '--threads', '1', '--out', 'runs/second', '--json'],
      ],
      { cwd: packed.home },
    );
    expect(JSON.parse(stdout)).toMatchObject({ rows: 8, errors: 0 });
  });
});
