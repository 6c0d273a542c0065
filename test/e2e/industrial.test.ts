import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sceneshift } from '../support/cli.ts';
import { makeMvtec } from '../support/mvtec.ts';
import { plainNet } from '../support/onnx.ts';

const layers = [
  { channels: 16, kernel: 5, stride: 2 },
  { channels: 32, kernel: 3, stride: 2 },
];
const scenarios = 'original,camera-shift,lighting,lighting:over,white-balance';

/** The whole way of docs/industrial.md, on a drawn set in MVTec AD's layout. */
describe('inspection', () => {
  let home: string;
  let data: string;
  const call = async (...args: string[]) => {
    const ran = await sceneshift([...args, '--json'], { cwd: home });
    expect(ran.status, ran.stderr).toBe(0);
    return JSON.parse(ran.stdout);
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-industrial-'));
    data = join(home, 'products');
    await makeMvtec(data, { sizePx: 64, train: 8, test: 4, parts: true });
    const record = { resize: { width: 32, height: 32, filter: 'bilinear' }, crop: 32, preprocessing: 'imagenet' };
    for (const name of ['one', 'two']) {
      await writeFile(join(home, `${name}.onnx`), plainNet({ sizePx: 32, layers, outputs: 10, seed: name }));
      await writeFile(join(home, `${name}.onnx.json`), JSON.stringify(record));
    }
    await writeFile(join(home, 'guess.onnx'), plainNet({ sizePx: 32, layers, outputs: 2 }));
    await writeFile(join(home, 'guess.onnx.json'), JSON.stringify({ ...record, labels: ['defective', 'good'] }));
    return () => rm(home, { recursive: true, force: true });
  });

  it('is checked, trained, run under camera, light and colour, and ranked', async () => {
    const checked = await call('dataset', 'check', data);
    expect(checked).toMatchObject({ layout: 'mvtec-ad', samples: 24, problems: [], warnings: [] });

    for (const name of ['one', 'two']) {
      const trained = await call(
        'train',
        '--data',
        data,
        '--backbone',
        `${name}.onnx`,
        '--scenarios',
        'original',
        '--folds',
        '2',
        '--threads',
        '1',
        '--write-head',
        `${name}-head.onnx`,
        '--out',
        `train-${name}`,
      );
      expect(trained.rows).toBe(24);
    }
    const run = await call(
      'run',
      '--data',
      data,
      '--model',
      'one-head.onnx',
      '--model',
      'two-head.onnx',
      '--scenarios',
      scenarios,
      '--threads',
      '1',
      '--out',
      'run',
    );
    // Good parts have no mask, and need none.
    expect(run).toMatchObject({ errors: 0, rows: 24 * 5 * 2 });

    // The mask marks the defect, with the map that `auto` chooses; a good part has none to look at.
    const explained = await call(
      'explain',
      'run',
      '--models',
      'one-head',
      '--scenarios',
      'original,camera-shift',
      '--threads',
      '1',
    );
    const rowsOf = (label: string) => explained.rows.filter((row: { label: string }) => row.label === label);
    expect(rowsOf('defective').length).toBeGreaterThan(0);
    for (const { shareOnObject, areaShare } of rowsOf('defective')) {
      expect(areaShare).toBeGreaterThan(0);
      expect(shareOnObject).toBeGreaterThanOrEqual(0);
      expect(shareOnObject).toBeLessThanOrEqual(1);
    }
    for (const { shareOnObject } of rowsOf('good')) expect(shareOnObject).toBeNull();

    const { rank } = await call('score', 'run', '--measure', 'auroc', '--shifts', 'camera,light,colour');
    expect(rank.shifts).toEqual([
      { shift: 'camera', scenarios: ['camera-shift'] },
      { shift: 'light', scenarios: ['lighting', 'lighting:over'] },
      { shift: 'colour', scenarios: ['white-balance'] },
    ]);
    expect(rank.models).toHaveLength(2);
    for (const { shifted, shifts, best } of rank.models) {
      expect(shifted.value).toBeCloseTo(
        shifts.reduce((sum: number, one: { value: number }) => sum + one.value / 3, 0),
        9,
      );
      expect(best).toBeGreaterThanOrEqual(0);
    }
  });

  it('asks for the masks of the parts where a scenario must know them, and then keeps both', async () => {
    const refused = await sceneshift(
      ['run', '--data', data, '--model', 'guess.onnx', '--scenarios', 'original,blur-background', '--out', 'no'],
      { cwd: home },
    );
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('The masks mark the defects');
    const run = await call(
      'run',
      '--data',
      data,
      '--masks',
      join(home, 'parts'),
      '--model',
      'guess.onnx',
      '--scenarios',
      'original,blur-background',
      '--threads',
      '1',
      '--no-report',
      '--out',
      'masked',
    );
    expect(run).toMatchObject({ errors: 0, rows: 24 * 2 });
  });
});
