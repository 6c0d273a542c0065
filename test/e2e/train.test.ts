import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sceneshift, sceneshiftEach, temporaryFolder } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';

it('trains heads in worker threads, and every other command reads what comes out', async () => {
  const folder = temporaryFolder();
  const { manifest, samples } = await makeDataset(join(folder, 'data'), { perClass: 4 });
  const layers = [
    { channels: 12, kernel: 3, stride: 2 },
    { channels: 24, kernel: 3, stride: 2 },
  ];
  await writeFile(join(folder, 'net.onnx'), plainNet({ sizePx: 64, layers, outputs: 5 }));
  const backbone = join(folder, 'net.onnx');
  await writeFile(
    join(folder, 'net.json'),
    JSON.stringify({ resize: { width: 64, height: 64 }, mean: 0, std: 1, labels: 'abcde'.split('') }),
  );
  const run = join(folder, 'run');
  const written = join(folder, 'new.onnx');
  const args = ['train', '--data', manifest, '--backbone', backbone, '--scenarios', 'original,grey,random-background'];
  const trained = await sceneshift(
    [
      ...args,
      '--folds',
      '4',
      '--on',
      'mix',
      '--out',
      run,
      '--write-head',
      written,
      '--head',
      'mix',
      '--threads',
      '2',
      '--json',
    ],
    { cwd: folder },
  );
  expect(trained.status, trained.stderr).toBe(0);
  const result = JSON.parse(trained.stdout);
  expect(result).toMatchObject({ backbone: 'net', layer: 'flat', features: 24, folds: 4, errors: 0 });
  expect(result.scenarios.map(({ trained }: { trained: string }) => trained)).toEqual([
    'original',
    'grey',
    'random-background',
    'mix',
  ]);
  expect(result.matrix).toHaveLength(12);
  expect(result.rows).toBe(12 * samples);
  const [model] = result.score.models;
  expect(model.robustness.inner).toBeGreaterThanOrEqual(0);
  expect(model.robustness.score).toBeCloseTo(1 - model.robustness.cross - model.robustness.inner, 12);
  expect(existsSync(join(run, 'report.html'))).toBe(true);
  expect(existsSync(join(run, 'training'))).toBe(true);

  const again = await sceneshift([...args, '--folds', '4', '--on', 'mix', '--out', run, '--threads', '1', '--json'], {
    cwd: folder,
  });
  expect(JSON.parse(again.stdout)).toMatchObject({
    computed: 0,
    matrix: result.matrix,
    differences: result.differences,
  });

  // The model as delivered may join the folder: its rows and the heads' stand side by side.
  const head = await sceneshift(
    [
      'run',
      '--data',
      manifest,
      '--model',
      written,
      '--scenarios',
      'original',
      '--no-report',
      '--out',
      run,
      '--threads',
      '1',
      '--json',
    ],
    { cwd: folder },
  );
  expect(head.status, head.stderr).toBe(0);
  expect(JSON.parse(head.stdout).rows).toBe(13 * samples);

  for (const command of [
    ['score', run],
    ['analyze', run],
    ['compare', run, '--models', 'net,new'],
    ['explain', run, '--models', 'new', '--scenarios', 'original', '--random', '4', '--threads', '1'],
    ['report', run],
  ]) {
    const { status, stderr } = await sceneshift(command, { cwd: folder });
    expect(status, `${command[0]}: ${stderr}`).toBe(0);
  }
});

it('says in one line what is wrong', async () => {
  const folder = temporaryFolder();
  const { manifest } = await makeDataset(join(folder, 'data'), { perClass: 3 });
  await writeFile(join(folder, 'net.onnx'), plainNet({ sizePx: 32, layers: [{ channels: 4, kernel: 3 }], outputs: 3 }));
  const args = ['train', '--data', manifest, '--backbone', join(folder, 'net.onnx'), '--out', 'run'];
  const wrong = [
    [['--layer', 'nowhere'], /no layer 'nowhere' .*flat/],
    [['--folds', '1'], /whole number, 2 or more for --folds/],
    [['--folds', '20'], /20 folds need at least 20/],
    [['--write-head', 'x.bin'], /ends in \.onnx/],
    [['--strength', '0'], /positive number for --strength/],
    [['--on', 'nothing'], /known scenario.*--on/],
  ] as const;
  const ran = await sceneshiftEach(
    wrong.map(([options]) => [...args, ...options]),
    { cwd: folder },
  );
  for (const [i, [, message]] of wrong.entries()) {
    expect(ran[i].status, ran[i].stderr).toBe(2);
    expect(ran[i].stderr.trim().split('\n').at(-1)).toMatch(message);
  }
});
