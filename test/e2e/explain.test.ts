import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { overlayPath } from '../../src/contracts/saliency.ts';
import { sceneshift, sceneshiftEach } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';

describe('sceneshift explain', () => {
  let run: string;

  beforeAll(async () => {
    const home = await mkdtemp(join(tmpdir(), 'sceneshift-explain-'));
    const { manifest } = await makeDataset(join(home, 'data'), { perClass: 2 });
    const models: string[] = [];
    for (const name of ['first', 'second']) {
      const path = join(home, `${name}.onnx`);
      const layers = [{ channels: 8, kernel: 5, stride: 4 }];
      await writeFile(path, plainNet({ sizePx: 48, layers, outputs: 3, seed: name }));
      const record = { labels: ['disc', 'square', 'ring'], resize: { shortSide: 48 }, crop: 48 };
      await writeFile(`${path}.json`, JSON.stringify({ ...record, preprocessing: 'imagenet' }));
      models.push('--model', path);
    }
    run = join(home, 'run');
    const scenarios = ['--scenarios', 'original,random-background'];
    const asked = ['run', '--data', manifest, ...models, ...scenarios, '--no-report', '--threads', '1'];
    const ran = await sceneshift([...asked, '--out', run]);
    expect(ran, ran.stderr).toMatchObject({ status: 0 });
    return () => rm(home, { recursive: true, force: true });
  });

  it('explains a run, again with the same result, and shows it in the report', async () => {
    const options = ['explain', run, '--steps', '4', '--compare', 'first=second', '--threads', '2', '--json'];
    const first = await sceneshift(options);
    expect(first, first.stderr).toMatchObject({ status: 0 });
    const { seconds: _, ...found } = JSON.parse(first.stdout);
    expect(found.rows).toHaveLength(2 * 3 * 6);
    expect(found.index.models).toMatchObject([{ method: 'cam' }, { method: 'cam' }]);
    expect(found.comparisons[0]).toMatchObject({ first: 'first', second: 'second', scenario: '', n: 18 });
    const variant = { model: 'first', scenario: 'random-background', sample: 'images/disc/disc_0.jpg' };
    const picture = join(run, 'saliency', overlayPath(variant, 'large'));
    expect((await stat(picture)).size).toBeGreaterThan(1000);
    expect(await readFile(found.report, 'utf8')).toContain('Where the models look');
    const again = await sceneshift(options);
    const { seconds: __, ...same } = JSON.parse(again.stdout);
    expect(same).toEqual(found);
    expect(again.stderr).toContain('36 found, 0 to do');
  });

  it('gives the same rows when it was stopped half-way', async () => {
    const rise = ['explain', run, '--method', 'rise', '--masks', '16', '--steps', '4', '--threads', '1', '--json'];
    const rows = JSON.parse((await sceneshift(rise)).stdout).rows;
    const part = [...rise, '--out', `${run}-parts`];
    const first = await sceneshift([...part, '--samples', rows[0].sample]);
    expect(first, first.stderr).toMatchObject({ status: 0 });
    const rest = await sceneshift(part);
    expect(JSON.parse(rest.stdout).rows).toEqual(rows);
    expect(rest.stderr).toContain('6 found');
  });

  it('says in one line what is wrong with an option', async () => {
    const wrong = [
      ['--models', 'third'],
      ['--compare', 'first'],
      ['--masks', '0'],
      ['--samples', 'nobody'],
    ];
    const ran = await sceneshiftEach(wrong.map((options) => ['explain', run, ...options]));
    for (const [i, [option]] of wrong.entries()) {
      expect(ran[i].status, ran[i].stderr).toBe(2);
      expect(ran[i].stderr).toContain(option);
    }
  });
});
