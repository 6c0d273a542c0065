import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { presets } from '../src/scenarios/presets.ts';
import { plainNet } from '../test/support/onnx.ts';
import type { BenchInput, Figure } from './main.ts';
import { firstRows } from './memory.ts';
import { peakMemory } from './peak-memory.ts';

const run = promisify(execFile);
const batch = 8;
const rounds = 2;

/** Whole-run variants per second over pure inference of the same batches, and the memory of a run at two sizes. */
export async function benchInference(input: BenchInput): Promise<Figure[]> {
  const { scratch, manifest, backgrounds, bin } = input;
  const light = input.model ?? (await writeLightNet(join(scratch, 'light.onnx')));
  const heavy = await writeNet(join(scratch, 'heavy.onnx'), heavyNet);
  const figures: Figure[] = [];
  for (const [name, model, samples, least] of [
    ['light model', light, 960, 0.65],
    ['model 8 times as heavy or more', heavy, 128, 0.95],
  ] as const) {
    const data = await firstRows(manifest, samples, join(scratch, `run-${samples}.csv`));
    const ratios: number[] = [];
    let pure = 0;
    let whole = 0;
    for (let round = 0; round < rounds; round++) {
      const before = await pureInference(model);
      whole = await wholeRun(bin, model, data, backgrounds, join(scratch, `run-${samples}-${round}`));
      pure = (before + (await pureInference(model))) / 2;
      ratios.push(whole / pure);
    }
    figures.push(
      { name: `${name}: pure inference`, value: pure, unit: 'variants/s' },
      { name: `${name}: whole run`, value: whole, unit: 'variants/s' },
      {
        name: `${name}: whole run over pure inference`,
        value: ratios.reduce((sum, ratio) => sum + ratio, 0) / rounds,
        unit: '×',
        limit: { atLeast: least },
      },
    );
  }
  const peaks: number[] = [];
  for (const count of [240, 960]) {
    const data = await firstRows(manifest, count, join(scratch, `memory-${count}.csv`));
    const args = [
      'run',
      '--data',
      data,
      '--model',
      light,
      '--scenarios',
      'original,blur-background,random-background',
      '--backgrounds',
      backgrounds,
    ];
    peaks.push(await peakMemory(bin, [...args, '--out', join(scratch, `memory-${count}`), '--json']));
  }
  figures.push({
    name: 'run: peak memory at 960 images over 240',
    value: peaks[1] / peaks[0],
    unit: '×',
    limit: { atMost: 1.05 },
  });
  return figures;
}

const lightNet = {
  sizePx: 224,
  outputs: 1000,
  layers: [
    { channels: 32, kernel: 3, stride: 2 },
    { channels: 64, kernel: 3, stride: 2 },
    { channels: 96, kernel: 3 },
    { channels: 128, kernel: 3, stride: 2 },
  ],
};
const repeat = (times: number, channels: number) => Array.from({ length: times }, () => ({ channels, kernel: 3 }));
/** About 3.6 billion multiplications, as ResNet-34 or ResNet-50. */
export const heavyNet = {
  sizePx: 224,
  outputs: 1000,
  layers: [
    { channels: 64, kernel: 7, stride: 4 },
    ...repeat(6, 64),
    { channels: 128, kernel: 3, stride: 2 },
    ...repeat(7, 128),
    { channels: 256, kernel: 3, stride: 2 },
    ...repeat(11, 256),
    { channels: 512, kernel: 3, stride: 2 },
    ...repeat(4, 512),
  ],
};

export const writeLightNet = (path: string): Promise<string> => writeNet(path, lightNet);

export async function writeNet(path: string, net: Parameters<typeof plainNet>[0]): Promise<string> {
  await writeFile(path, plainNet(net));
  await writeFile(`${path}.json`, JSON.stringify({ preprocessing: 'imagenet' }));
  return path;
}

/** Preloaded tensors through one session per core: what the machine could do if images came for free. */
async function pureInference(model: string): Promise<number> {
  const seconds = 4;
  const rates = await Promise.all(
    Array.from(
      { length: availableParallelism() },
      () =>
        new Promise<number>((resolve, reject) => {
          const worker = new Worker(new URL('./inference-worker.mjs', import.meta.url), {
            workerData: { model, batch, seconds },
          });
          worker.once('message', resolve);
          worker.once('error', reject);
        }),
    ),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}

async function wholeRun(bin: string, model: string, data: string, backgrounds: string, out: string): Promise<number> {
  const args = [
    'run',
    '--data',
    data,
    '--model',
    model,
    '--scenarios',
    'ximagenet-12',
    '--backgrounds',
    backgrounds,
    '--batch',
    String(batch),
    '--out',
    out,
    '--json',
  ];
  const { stdout } = await run(process.execPath, [bin, ...args], { maxBuffer: 2 ** 28 });
  const { rows, seconds, score } = JSON.parse(stdout);
  if (score.models[0].scenarios.length !== presets['ximagenet-12'].scenarios.length)
    throw new Error('the run is not whole');
  return rows / seconds;
}
