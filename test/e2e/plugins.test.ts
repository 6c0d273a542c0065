import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { sceneshift, temporaryFolder } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';

const example = fileURLToPath(new URL('../../examples/plugins/sepia.mjs', import.meta.url));

describe('a plugin', () => {
  let home: string;
  let manifest: string;
  /** A copy outside the package: `import 'sceneshift'` is found there too. */
  let plugin: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-plugin-'));
    const data = await makeDataset(join(home, 'data'), { perClass: 2 });
    manifest = join(home, 'data', 'brightness.csv');
    const rows = (await readFile(data.manifest, 'utf8')).trim().split('\n').slice(1);
    const lines = rows
      .map((row) => row.split(','))
      .map(([image, mask], i) => `${image},${mask},${i % 2 ? 'dark' : 'bright'}`);
    await writeFile(manifest, ['image,mask,label', ...lines, ''].join('\n'));
    plugin = join(home, 'sepia.mjs');
    await copyFile(example, plugin);
    return () => rm(home, { recursive: true, force: true });
  });

  it('gives a run and a rendering of two threads its scenario and model; its hash is kept, and its change asks anew for its own', async () => {
    const folder = temporaryFolder();
    const own = join(temporaryFolder(), 'own.mjs');
    await copyFile(plugin, own);
    const config = join(folder, 'sceneshift.yaml');
    await writeFile(
      config,
      JSON.stringify({ data: manifest, plugins: [own], models: ['brightness:110'], scenarios: ['original', 'sepia'] }),
    );
    // A process knows the plugin that it has loaded: the changed one is another's.
    let machine = 'own';
    const run = (...more: string[]) =>
      sceneshift(['run', '--config', config, '--out', join(folder, 'run'), '--json', ...more], { machine });
    const render = (threads = 1) =>
      sceneshift(
        [
          ...['render', '--data', manifest, '--scenarios', 'sepia:0.5,grey', '--plugin', own],
          ...['--threads', String(threads), '--out', join(folder, 'out'), '--format', 'png', '--json'],
        ],
        { machine },
      );

    const first = await run('--threads', '2');
    expect(first.status, first.stderr).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ rows: 12, errors: 0 });
    const record = async () => JSON.parse(await readFile(join(folder, 'run/run.json'), 'utf8'));
    const before = await record();
    expect(before.scenarios).toEqual(['original', 'sepia']);
    expect(before.plugins).toEqual([
      expect.objectContaining({ file: own, hash: expect.stringMatching(/^[0-9a-f]{64}$/), models: ['brightness'] }),
    ]);
    expect((await run('--no-report')).stderr).toContain('12 of 12 answers found');
    const rendered = await render(2);
    expect(rendered.status, rendered.stderr).toBe(0);
    expect(JSON.parse(rendered.stdout)).toMatchObject({ variants: 12, errors: 0 });
    expect(await readdir(join(folder, 'out'))).toContain('manifest.csv');

    await writeFile(own, `${await readFile(own, 'utf8')}\n// changed\n`);
    machine = 'own, changed';
    const changed = await run('--threads', '1', '--no-report');
    expect(changed.status, changed.stderr).toBe(0);
    expect(changed.stderr).toContain('12 answers to come');
    expect(JSON.parse(changed.stdout).rows).toBe(12);
    expect((await record()).plugins[0].hash).not.toBe(before.plugins[0].hash);
    const again = await render();
    expect(JSON.parse(again.stdout), again.stderr).toMatchObject({ variants: 12, found: 6 });
  });

  it('is listed by scenarios, dataset check and models inspect, which read what it adds', async () => {
    const listed = await sceneshift(['scenarios', '--plugin', plugin, '--json'], { machine: 'sepia' });
    expect(JSON.parse(listed.stdout).scenarios.map(({ id }: { id: string }) => id)).toContain('sepia');
    const shown = await sceneshift(['scenarios', 'sepia:0.5', '--plugin', plugin], { machine: 'sepia' });
    expect(shown.stdout).toContain('0: as it was, 1: wholly sepia');

    const dotted = temporaryFolder();
    await mkdir(dotted, { recursive: true });
    for (const name of ['1.cat.jpg', '2.dog.jpg'])
      await copyFile(join(home, 'data/images/disc/disc_0.jpg'), join(dotted, name));
    const checked = await sceneshift(['dataset', 'check', dotted, '--plugin', plugin, '--json'], { machine: 'sepia' });
    expect(JSON.parse(checked.stdout), checked.stderr).toMatchObject({ layout: 'dotted', plugins: [{ file: plugin }] });
    const adds = 'plugin sepia.mjs adds scenario sepia (shift), layout dotted, model kind brightness';
    const told = await sceneshift(['dataset', 'check', dotted, '--plugin', plugin], { machine: 'sepia' });
    expect(told.stdout, told.stderr).toContain(adds);

    const inspected = await sceneshift(['models', 'inspect', 'brightness:110', '--plugin', plugin, '--json'], {
      machine: 'sepia',
    });
    expect(inspected.status, inspected.stderr).toBe(0);
    expect(JSON.parse(inspected.stdout)).toMatchObject({ kind: 'brightness', plugins: [{ file: plugin }] });
    const said = await sceneshift(['models', 'inspect', 'brightness:110', '--plugin', plugin], { machine: 'sepia' });
    expect(said.stdout, said.stderr).toContain(adds);
  });

  it('is checked; a wrong one is told in one line', async () => {
    const good = await sceneshift(['plugin', 'check', plugin], { machine: 'sepia' });
    expect(good.status, good.stderr).toBe(0);
    expect(good.stdout).toMatch(/scenarios: sepia\nreaders: dotted\nmodels: brightness\n✓/);

    const wrong = join(temporaryFolder(), 'wrong.mjs');
    const text = await readFile(plugin, 'utf8');
    await writeFile(wrong, text.replace('if (mask.data[i]) continue;', ''));
    const found = await sceneshift(['plugin', 'check', wrong], { machine: 'wrong' });
    expect(found.status).toBe(1);
    expect(found.stdout).toMatch(/✗ sepia · keeps its promise about the object, to the pixel: 'untouched' is promised/);

    const lacking = join(temporaryFolder(), 'lacking.mjs');
    await writeFile(lacking, "import 'no-such-package';");
    const broken = await sceneshift(['scenarios', '--plugin', lacking], { machine: 'lacking' });
    expect(broken.status).toBe(2);
    expect(broken.stderr).toMatch(/^✗ The plugin .* cannot be loaded: .*no-such-package.*\n$/);
  });
});
