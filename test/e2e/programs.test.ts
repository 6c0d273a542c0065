import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { sceneshift, temporaryFolder } from '../support/cli.ts';
import { type MadeDataset, makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';

const program = fileURLToPath(new URL('../fixtures/models/network-program.mjs', import.meta.url));

/** Every answer as `scenario sample: row`, by model. */
async function answersOf(run: string): Promise<Map<string, string[]>> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const query = `SELECT * EXCLUDE (condition, "sampleHash", model), model FROM read_parquet('${run}/predictions/*.parquet') ORDER BY ALL`;
  const rows = (await connection.runAndReadAll(query)).getRowsJson();
  connection.closeSync();
  const answers = new Map<string, string[]>();
  for (const row of rows) {
    const model = String(row.at(-1));
    answers.set(model, [...(answers.get(model) ?? []), JSON.stringify(row.slice(0, -1))]);
  }
  return answers;
}

describe('programs asked by several threads', () => {
  let data: MadeDataset;
  let home: string;
  let model: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-programs-'));
    data = await makeDataset(join(home, 'data'), { perClass: 12, width: 48, height: 48 });
    model = join(home, 'network.onnx');
    await writeFile(model, plainNet({ sizePx: 48, layers: [{ channels: 8, kernel: 5, stride: 2 }], outputs: 3 }));
    const record = { labels: ['disc', 'square', 'ring'], resize: null, crop: null, scale: 1 / 256 };
    await writeFile(`${model}.json`, JSON.stringify({ ...record, mean: [0, 0, 0], std: [1, 1, 1] }));
    return () => rm(home, { recursive: true, force: true });
  });

  const asProgram = (input: string, delayMs: number, name: string) =>
    `command:"${process.execPath}" "${program}" "${model}" ${input} ${delayMs} ${name}`;

  it.each([
    ['one that takes tensors', ['tensor']],
    ['two that take tensors and one that takes pixels', ['tensor', 'tensor', 'rgb']],
  ])('%s answer for each picture what the network answers for it', async (_, inputs) => {
    const out = join(temporaryFolder(), 'run');
    const names = inputs.map((input, i) => `${input}-${i}`);
    const programs = inputs.flatMap((input, i) => ['--model', asProgram(input, 2 + 3 * i, names[i])]);
    const { status, stderr } = await sceneshift([
      ...['run', '--data', data.manifest, '--model', model, ...programs, '--threads', '4', '--no-report', '--json'],
      ...['--scenarios', 'original,grey,blur-background', '--out', out],
    ]);
    expect(status, stderr).toBe(0);
    const answers = await answersOf(out);
    expect(answers.get('network')).toHaveLength(3 * data.samples);
    for (const name of names) expect(answers.get(name)).toEqual(answers.get('network'));
  });
});
