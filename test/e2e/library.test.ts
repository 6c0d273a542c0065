import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

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
  let home: string;

  // A real `npm install` would fetch hundreds of megabytes. Instead the tarball is unpacked where npm would put it, and
  // of the repository's packages those alone are linked beside it that package.json lists as dependencies.
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-packed-'));
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    await exec(npm, ['pack', '--ignore-scripts', '--silent', '--pack-destination', home], {
      cwd: root,
      shell: process.platform === 'win32',
    });
    const [tarball] = (await readdir(home)).filter((name) => name.endsWith('.tgz'));
    await exec('tar', ['-xzf', tarball], { cwd: home });
    await mkdir(join(home, 'node_modules'));
    await rename(join(home, 'package'), join(home, 'node_modules/sceneshift'));
    const { dependencies } = JSON.parse(await readFile(join(home, 'node_modules/sceneshift/package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      const link = join(home, 'node_modules', name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(join(root, 'node_modules', name), link, 'junction');
    }
    return () => rm(home, { recursive: true, force: true });
  });

  const cases = programs.flatMap(({ title, texts }) =>
    texts.map((text, i): [string, string, RegExp | undefined] => [`${title} ${i + 1}`, text, printed[title]?.[i]]),
  );

  it('finds the programs of the page', () => {
    expect(cases.map(([title]) => title)).toEqual(
      Object.entries(printed).flatMap(([title, lines]) => lines.map((_, i) => `${title} ${i + 1}`)),
    );
  });

  it.each(cases)('runs as it stands: %s', async (title, program, output) => {
    const file = join(home, `${title.replaceAll(' ', '-')}.mjs`);
    await writeFile(file, program);
    const { stdout } = await exec(process.execPath, [file], { cwd: home });
    expect(stdout).toMatch(output ?? /^never$/);
  });

  it('has the command line, with the worker threads and the example plugin', async () => {
    const bin = join(home, 'node_modules/sceneshift/bin/sceneshift.js');
    const benchmark = 'node_modules/sceneshift/benchmark';
    const { stdout } = await exec(
      process.execPath,
      [
        ...[bin, 'run', '--data', `${benchmark}/manifest.csv`, '--model', `${benchmark}/models/plain-biased-1.onnx`],
        ...['--plugin', 'node_modules/sceneshift/examples/plugins/sepia.mjs', '--scenarios', 'original,sepia'],
        ...['--sample', '1', '--threads', '2', '--out', 'runs/second', '--json'],
      ],
      { cwd: home },
    );
    expect(JSON.parse(stdout)).toMatchObject({ rows: 24, errors: 0 });
  });
});
