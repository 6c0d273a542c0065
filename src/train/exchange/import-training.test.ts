import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTable } from '../../models/read-table.ts';
import { lockFolder } from '../../run/folder/index.ts';
import { importTraining } from './import-training.ts';

const header = 'model,trained,scenario,sample,group,label,fold,prediction,probability,probabilityTruth,rank';
const rows = [
  'net,original,original,a.jpg,,cat,0,cat,0.9,0.9,1',
  'net,original,grey,a.jpg,,cat,0,dog,0.6,0.3,2',
  'net,grey,original,a.jpg,,cat,0,cat,0.5,0.5,1',
  'net,grey,grey,a.jpg,,cat,0,cat,0.8,0.8,1',
];
const curves = [
  'model,trained,fold,epoch,split,loss,accuracy',
  'net,original,0,1,train,1.5,0.4',
  'net,original,0,1,validation,1.7,0.3',
  'net,original,0,2,train,1.0,0.6',
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function results(name: string, files: Record<string, string>): Promise<string> {
  const place = join(folder, name);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(place, file, '..'), { recursive: true });
    await writeFile(join(place, file), text);
  }
  return place;
}

async function stored(run: string, kind: 'predictions' | 'training') {
  const shards = (await readdir(join(run, kind))).filter((name) => name.endsWith('.parquet'));
  const tables = await Promise.all(shards.map((name) => readTable(join(run, kind, name))));
  return tables.flatMap((table) => table.rows);
}

describe('training done elsewhere', () => {
  it('becomes a run: rows, curves, models and a record', async () => {
    const from = await results('full', {
      'predictions.csv': [header, ...rows].join('\n'),
      'curves.csv': curves.join('\n'),
      'training.json': JSON.stringify({ model: 'resnet50', classes: ['cat', 'dog'], scenarios: ['original', 'grey'] }),
      'models/net-original-fold-0.onnx': 'weights',
      'models/net-original-fold-0.json': '{}',
    });
    const out = join(folder, 'run');
    const summary = await importTraining({ from, out, version: 'test' });
    expect(summary).toMatchObject({ rows: 4, models: ['net'], trained: ['original', 'grey'], folds: 1, curves: 2 });
    expect(summary.scenarios).toEqual(['original', 'grey']);
    const wrong = (await stored(out, 'predictions')).filter(({ correct }) => correct === 'false');
    expect(wrong).toHaveLength(1);
    expect(wrong[0]).toMatchObject({ trained: 'original', scenario: 'grey', prediction: 'dog', rankTruth: '2' });
    expect(Number(wrong[0].probabilityTruth)).toBe(0.3);
    const points = await stored(out, 'training');
    expect(points.map(({ step, part, lossTrain, lossValidation }) => [step, part, lossTrain, lossValidation])).toEqual([
      ['1', 'curve', '1.5', '1.7'],
      ['2', 'curve', '1.0', 'nan'],
    ]);
    expect(await readdir(join(out, 'models'))).toEqual(['net-original-fold-0.json', 'net-original-fold-0.onnx']);
    const record = JSON.parse(await readFile(join(out, 'run.json'), 'utf8'));
    expect(record).toMatchObject({
      scenarios: ['original', 'grey'],
      data: { classes: ['cat', 'dog'], samples: 1 },
      models: [{ name: 'net', kind: 'predictions' }],
      rows: 4,
    });
  });

  it('replaces an earlier import of the same model and leaves others alone', async () => {
    const out = join(folder, 'replaced');
    const other = rows.map((row) => row.replace('net,', 'other,'));
    const bothCurves = [...curves, curves[1].replace('net,', 'other,')].join('\n');
    const first = { 'predictions.csv': [header, ...rows, ...other].join('\n'), 'curves.csv': bothCurves };
    await importTraining({ from: await results('first', first), out, version: 'test' });
    const better = [header, ...rows.map((row) => row.replace('grey,a.jpg,,cat,0,dog', 'grey,a.jpg,,cat,0,cat'))].join(
      '\n',
    );
    const second = { 'predictions.csv': better, 'curves.csv': curves.slice(0, 2).join('\n') };
    const summary = await importTraining({ from: await results('second', second), out, version: 'test' });
    expect(summary.rows).toBe(8);
    const after = await stored(out, 'predictions');
    expect(after.filter(({ model, correct }) => model === 'net' && correct === 'false')).toHaveLength(0);
    expect(after.filter(({ model, correct }) => model === 'other' && correct === 'false')).toHaveLength(1);
    const points = await stored(out, 'training');
    expect(points.map(({ model }) => model).sort()).toEqual(['net', 'other']);
    const { models } = JSON.parse(await readFile(join(out, 'run.json'), 'utf8'));
    expect(models.map(({ name }: { name: string }) => name).sort()).toEqual(['net', 'other']);
  });

  it('takes a bare table of predictions, without probabilities, folds or training', async () => {
    const from = await results('bare', {
      'answers.csv': 'model,scenario,sample,label,prediction\nnet,original,a,x,x\nnet,grey,a,x,y\n',
    });
    const out = join(folder, 'bare-run');
    await importTraining({ from: join(from, 'answers.csv'), out, version: 'test' });
    const found = await stored(out, 'predictions');
    expect(
      found.map(({ correct, fold, trained, rankTruth, probability }) => [
        correct,
        fold,
        trained,
        rankTruth,
        probability,
      ]),
    ).toEqual([
      ['true', '-1', '', '1', ''],
      ['false', '-1', '', '', ''],
    ]);
  });

  it('says what is wrong with the file', async () => {
    const attempt = async (name: string, files: Record<string, string>) =>
      importTraining({ from: await results(name, files), out: join(folder, 'never'), version: 'test' });
    await expect(attempt('empty', { 'notes.txt': '' })).rejects.toThrow(/holds no predictions.csv/);
    await expect(attempt('twice', { 'predictions.csv': [header, rows[0], rows[0]].join('\n') })).rejects.toThrow(
      /answers twice for a.jpg in original by the model trained on original/,
    );
    const odd = rows[0].replace('0.9,0.9', 'high,0.9');
    await expect(attempt('odd', { 'predictions.csv': [header, odd].join('\n') })).rejects.toThrow(
      /Expected a number for probability in row 1 .* but found 'high'/,
    );
    await expect(attempt('short', { 'predictions.csv': 'model,scenario\na,b\n' })).rejects.toThrow(/lacks the columns/);
    await expect(
      attempt('split', {
        'predictions.csv': [header, ...rows].join('\n'),
        'curves.csv': [curves[0], 'net,original,0,1,tset,1,1'].join('\n'),
      }),
    ).rejects.toThrow(/Expected train or validation for split in row 1/);
    await expect(importTraining({ from: join(folder, 'nowhere'), out: folder, version: 'test' })).rejects.toThrow(
      /There is no file or folder/,
    );
  });

  it('is taken in by one process at a time', async () => {
    const from = await results('contested', { 'predictions.csv': [header, ...rows].join('\n') });
    const out = join(folder, 'contested-run');
    const lock = await lockFolder(out);
    await expect(importTraining({ from, out, version: 'test' })).rejects.toThrow(/is being written to by process/);
    await lock.release();
    expect(await importTraining({ from, out, version: 'test' })).toMatchObject({ rows: 4 });
    expect((await readdir(out)).sort()).toEqual(['predictions', 'run.json']);
  });
});
