import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataset } from '../../test/support/dataset.ts';
import { plainNet } from '../../test/support/onnx.ts';
import { checkDataset } from '../dataset/check/check.ts';
import { readDataset } from '../dataset/index.ts';
import { describeModel } from '../models/open.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import { withRunFolder } from './folder/index.ts';
import { makePlan } from './plan.ts';
import { executeRun } from './run.ts';

describe('what check, plan and run say will be left out', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'left-out-alike-'));
    await writeFile(join(home, 'net.onnx'), plainNet({ sizePx: 24, layers: [{ channels: 4, kernel: 3 }], outputs: 3 }));
    await makeDataset(home, { perClass: 4, width: 24, height: 24 });
  });
  afterAll(() => rm(home, { recursive: true }));

  /** The dataset with the masks of some samples left out, and more lines. */
  async function inputs(name: string, withoutMask: number, more: readonly string[] = []) {
    const [head, ...rows] = (await readFile(join(home, 'manifest.csv'), 'utf8')).trim().split('\n');
    const cut = rows.map((row, i) => (i < withoutMask ? row.replace(/,[^,]*/, ',') : row));
    await writeFile(join(home, name), [head, ...cut, ...more].join('\n'));
    const dataset = await readDataset(join(home, name), {});
    const spec = {
      model: join(home, 'net.onnx'),
      preprocessing: { resize: null, crop: null, scale: 1, mean: 0, std: 1 },
    };
    return {
      dataset,
      samples: dataset.samples,
      foldOf: () => -1,
      models: [{ spec, description: await describeModel(spec, { classes: dataset.classes }) }],
      scenarios: parseScenarioList('original,blur-background'),
      scenariosNamed: true,
      seed: 0,
      photographs: { mode: 'pillow', flatten: [255, 255, 255], maxPixels: 1e6, border: 'ignore' },
      version: 'test',
      threads: 1,
      config: {},
      out: join(home, `run-${name}`),
    } as const;
  }

  it('one mask in twelve missing: all three go on without it', async () => {
    const given = { ...(await inputs('one.csv', 1)), maxErrors: 0.1 };
    const foretold = '1 of 12 images have no mask: scenarios that need one leave them out, the others use them';
    expect((await checkDataset(given.dataset)).notes).toContain(foretold);
    expect((await makePlan(given)).warnings).toContain(foretold);
    const { run, errors } = await executeRun(given);
    expect(errors).toMatchObject([{ problem: 'mask-missing' }]);
    const rows = await withRunFolder(run, (folder) => folder.rows('predictions'));
    expect(rows.filter(({ scenario }) => scenario === 'original')).toHaveLength(12);
    expect(rows.filter(({ scenario }) => scenario === 'blur-background')).toHaveLength(11);
  });

  it('half of them missing: all three say that a run does not begin, with one sentence', async () => {
    const given = { ...(await inputs('half.csv', 6)), maxErrors: 0.1 };
    const sentence = /^6 of 12 images have no mask: more than --max-errors 0\.1 lets a run leave out/;
    expect((await checkDataset(given.dataset)).notes).toContainEqual(expect.stringMatching(sentence));
    await expect(makePlan(given)).rejects.toThrow(sentence);
    await expect(executeRun(given)).rejects.toThrow(sentence);
  });

  it('a picture of 3 × 9000: check counts it as not usable, and the run leaves out that one', async () => {
    await sharp({ create: { width: 3, height: 9000, channels: 3, background: 'teal' } }).toFile(
      join(home, 'strip.png'),
    );
    const given = { ...(await inputs('strip.csv', 0, ['strip.png,,disc,0'])), maxErrors: 0.5 };
    const report = await checkDataset(given.dataset);
    expect(report.problems).toMatchObject([{ sample: 'strip.png', problem: 'too-small' }]);
    const { errors, run } = await executeRun({ ...given, scenarios: parseScenarioList('original') });
    expect(errors).toMatchObject([{ sample: 'strip.png', problem: 'too-small' }]);
    expect(await withRunFolder(run, (folder) => folder.rows('predictions'))).toHaveLength(report.usable);
  });
});
