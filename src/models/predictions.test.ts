import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeModel, openModel } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'predictions-'));
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const question = (sample: string, scenario: string, label: string) => ({
  sample,
  scenario,
  label,
  width: 1,
  height: 1,
});

describe('predictions made elsewhere', () => {
  it('are looked up by sample and scenario', async () => {
    const path = write(
      'one.csv',
      'model,scenario,sample,label,prediction,probability,rank\nvit,original,a/1.jpg,beagle,Beagle,0.9,1\nvit,blur,a/1.jpg,beagle,"pug, black",0.4,3\n',
    );
    const model = await openModel(`predictions:${path}`);
    expect(model).toMatchObject({
      name: 'vit',
      kind: 'predictions',
      looksAtPixels: false,
      labels: ['beagle', 'pug, black'],
    });
    const [one, two] = [0, 1].map(() => model.prepare({ width: 1, height: 1, data: new Uint8Array(3) }) as Uint8Array);
    expect(one.buffer).not.toBe(two.buffer);
    const answers = await model.answer(
      [],
      [
        question('a/1.jpg', 'original', 'beagle'),
        question('a/1.jpg', 'blur', 'beagle'),
        question('a/2.jpg', 'blur', 'beagle'),
      ],
    );
    expect(answers).toEqual([
      { kind: 'verdict', prediction: 'Beagle', correct: true, probability: 0.9, rank: 1 },
      { kind: 'verdict', prediction: 'pug, black', correct: false, probability: 0.4, rank: 3 },
      { kind: 'failed', message: `${path} has no prediction for a/2.jpg in blur` },
    ]);
  });

  it('are read from Parquet too', async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const path = join(folder, 'one.parquet');
    await connection.run(
      `COPY (SELECT 'm' AS model, 'original' AS scenario, 's' AS sample, 'cat' AS label, 'cat' AS prediction, 0.25::DOUBLE AS probability, false AS correct) TO '${path}' (FORMAT parquet)`,
    );
    connection.closeSync();
    const model = await openModel(path);
    // The file's own verdict counts more than a comparison of names.
    expect(await model.answer([], [question('s', 'original', 'cat')])).toEqual([
      { kind: 'verdict', prediction: 'cat', correct: false, probability: 0.25, rank: undefined },
    ]);
  });

  it('of several models need a name', async () => {
    const path = write('two.csv', 'model,scenario,sample,label,prediction\na,original,1,x,x\nb,original,1,x,y\n');
    await expect(describeModel(path)).rejects.toThrow(/holds 2 models \(a, b\); give each its own entry/);
    await expect(describeModel({ model: path, predictions: { model: 'c' } })).rejects.toThrow(
      /has no predictions of 'c'; it has a, b/,
    );
    const model = await openModel({ model: path, predictions: { model: 'b' } });
    expect(model.name).toBe('b');
    expect(await model.answer([], [question('1', 'original', 'x')])).toMatchObject([
      { prediction: 'y', correct: false },
    ]);
  });

  it('must be whole', async () => {
    await expect(describeModel(write('bad.csv', 'model,sample,label\nm,1,x\n'))).rejects.toThrow(
      /lacks the columns scenario, prediction; it has model, sample, label/,
    );
    await expect(describeModel(`predictions:${folder}/none.csv`)).rejects.toThrow(/There is no file/);
    const twice = write('twice.csv', 'scenario,sample,prediction\no,1,x\no,1,y\n');
    const model = await openModel(twice);
    await expect(model.answer([], [question('1', 'o', 'x')])).rejects.toThrow(/answers twice for 1 in o/);
  });
});
