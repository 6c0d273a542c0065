import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const exec = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const page = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
const blocks = [...page.matchAll(/^( *)```(ts|diff) (\S+)\n(.*?)^ *```$/gms)].map(([, indent, kind, file, text]) => ({
  kind,
  file,
  lines: text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(indent.length)),
}));

/** Lines with `+` go below the line of context above them. */
function add(text: string, lines: readonly string[]): string {
  const out = text.split('\n');
  let at = -1;
  for (const line of lines) {
    if (line.startsWith('+')) {
      if (at < 0) throw new Error(`no context above ${line}`);
      out.splice(++at, 0, line.slice(1));
    } else {
      at = out.findIndex((own) => own.startsWith(line.slice(1)));
      if (at < 0) throw new Error(`the page speaks of a line that is not there: ${line.slice(1)}`);
    }
  }
  return out.join('\n');
}

describe('the recipes of CONTRIBUTING.md, followed word for word', () => {
  let copy: string;

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'sceneshift-recipes-'));
    // With their times: kernels that look older than their source would be compiled again.
    for (const part of [
      'src',
      'docs/models.md',
      'docs/datasets.md',
      'biome.json',
      'package.json',
      'tsconfig.json',
      'vitest.config.ts',
      'scripts',
      'test/support',
      'test/fuzz',
      'test/fixtures/models',
    ])
      await cp(join(root, part), join(copy, part), { recursive: true, preserveTimestamps: true });
    await mkdir(join(copy, 'test/fixtures/dataset'), { recursive: true });
    await cp(join(root, 'test/fixtures/dataset/files.ts'), join(copy, 'test/fixtures/dataset/files.ts'));
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
    for (const { kind, file, lines } of blocks) {
      const path = join(copy, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, kind === 'diff' ? add(await readFile(path, 'utf8'), lines) : `${lines.join('\n')}\n`);
    }
    return () => rm(copy, { recursive: true, force: true });
  });

  /** The tests by file: how many held, and what those said that did not. */
  async function run(files: readonly string[], names: RegExp) {
    const report = join(copy, 'report.json');
    const found = await exec(
      process.execPath,
      [
        ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'unit', ...files, '-t', names.source],
        ...['--update', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`],
      ],
      { cwd: copy },
    ).catch((failed: { stdout: string; stderr: string }) => failed);
    const text = await readFile(report, 'utf8').catch(() => {
      throw new Error(`${found.stdout}${found.stderr}`);
    });
    const { testResults } = JSON.parse(text) as {
      testResults: { name: string; assertionResults: { status: string; failureMessages: string[] }[] }[];
    };
    return testResults.map(({ name, assertionResults }) => ({
      file: basename(name),
      passed: assertionResults.filter(({ status }) => status === 'passed').length,
      failed: assertionResults.flatMap(({ failureMessages }) => failureMessages),
    }));
  }

  it('lead to a scenario, a reader, a model kind, a figure and a command that pass their tests', async () => {
    const onPage = blocks
      .filter(({ kind, file }) => kind === 'ts' && file.endsWith('.test.ts'))
      .map(({ file }) => file);
    expect(onPage.map((file) => basename(file))).toEqual([
      'dotted.test.ts',
      'warmth.test.ts',
      'hardest.test.ts',
      'wnid.test.ts',
    ]);
    const suites = [
      'src/scenarios/suite.test.ts',
      'src/report/figures/figures.test.ts',
      'src/models/kinds/kinds.test.ts',
    ];
    const own =
      /posterize|sample-chart|is found by its names|calls a picture warm|shows how many samples|prints the name|stand in docs/;
    const results = await run([...onPage, ...suites], own);
    expect(results.flatMap(({ failed }) => failed)).toEqual([]);
    for (const file of [...onPage, ...suites])
      expect(results.find((one) => one.file === basename(file))?.passed, file).toBeGreaterThan(0);
    expect(await readFile(join(copy, 'src/report/figures/fixtures/sample-chart.svg'), 'utf8')).toContain('<svg');
  });

  it('give code that the linter takes', async () => {
    const files = [...new Set(blocks.map(({ file }) => file))].filter((file) => file.endsWith('.ts'));
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const done = exec(process.execPath, [biome, 'check', '--vcs-enabled=false', ...files], { cwd: copy });
    await done.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${stdout}${stderr}`);
    });
  });

  it('give a reader whose grammar is fed to it', async () => {
    const { stdout } = await exec(process.execPath, 'scripts/fuzz.mjs readers --count 100 --fresh'.split(' '), {
      cwd: copy,
    });
    expect(stdout.trim().split('\n').at(-1)).toBe('✓ 100 inputs from seed 0, 0 faults');
    const grammars = await readFile(join(copy, 'test/fuzz/formats/readers.ts'), 'utf8');
    expect(grammars).toContain("  dotted: (random) => ({\n    '1.cat.jpg'");
  });
});
