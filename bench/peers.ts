import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { plainNet } from '../test/support/onnx.ts';
import { heavyNet, writeNet } from './inference.ts';
import type { BenchInput, Figure } from './main.ts';
import { firstRows } from './memory.ts';
import { peakMemory } from './peak-memory.ts';

const start = promisify(execFile);
const pureSeconds = 4;

/** The same sixteen that the scripts in `peers/` make. */
const scenarios = [
  ...['original', 'blur-background', 'blur-object', 'grey', 'tint-red', 'tint-green', 'tint-blue', 'rainbow'],
  ...['bright-background', 'bright-object', 'dark-background', 'dark-object', 'random-background'],
  ...['random-background-additive', 'segmented', 'transparent'],
];

/** What the scripts do: the uncertain border goes with the object, and nothing is made beside the scenarios. */
const alike = ['--border', 'object', '--no-controls'];

interface Peers {
  readonly python: string;
  readonly photographs: number;
  readonly cores: readonly number[];
  readonly gpu: boolean;
  readonly input: BenchInput;
}

/**
 * Ours beside what one would write in Python instead, in one run: `--cores 2,16` for some of the cores only, `--gpu` for
 * PyTorch's DataLoader too, `--python` for the Python that has OpenCV, Pillow, onnxruntime (and torch).
 */
export async function benchPeers(input: BenchInput): Promise<Figure[]> {
  const { python = 'python3', photographs = '960', cores = String(availableParallelism()), gpu = false } = input.peers;
  const peers: Peers = { python, photographs: Number(photographs), cores: cores.split(',').map(Number), gpu, input };
  const figures: Figure[] = [];
  for (const count of peers.cores) figures.push(...(await onCores(peers, count)));
  figures.push(...(await heavyOn(peers, Math.min(...peers.cores))), ...(await memoryOf(peers)));
  if (gpu) figures.push(...(await onGpu(peers, Math.max(...peers.cores))));
  return figures;
}

/** Few cores take long, and rates of what starts at once do not depend on the count. */
const share = (photographs: number, of: number) => Math.max(8, Math.round(photographs * of));

async function onCores(peers: Peers, cores: number): Promise<Figure[]> {
  const model = peers.input.model ?? (await writeLightNet(peers.input.scratch));
  const count = share(peers.photographs, Math.min(1, cores / 4));
  const ask = pythonOn(peers, cores, ['--model', model]);
  const pureBefore = await ask(8, 'process_per_core', '--pure', pureSeconds);
  const each = await ask(count, 'process_per_core');
  const ours = await ourRun(peers, cores, count, ['--model', model, ...alike]);
  const pureAfter = await ask(8, 'process_per_core', '--pure', pureSeconds);
  const full = await ourRun(peers, cores, share(count, 0.25), ['--model', model]);
  const one = await ask(share(count, 0.125), 'one_process');
  const files = await ask(share(count, 0.125), 'files_first');
  const pure = (pureBefore.rate + pureAfter.rate) / 2;
  const rate = ({ variants, seconds }: Pick<Timed, 'variants' | 'seconds'>) => variants / seconds;
  const at = `${cores} cores:`;
  return [
    speed(`${at} pure inference`, pure),
    speed(`${at} Python, one process`, rate(one)),
    speed(`${at} Python, files first`, rate(files)),
    speed(`${at} Python, a process per core`, rate(each)),
    speed(`${at} ours`, rate(ours)),
    speed(`${at} ours, with start, scores and report`, ours.variants / ours.whole),
    speed(`${at} ours, with mattes and controls as a run comes`, rate(full)),
    ratio(`${at} ours over pure inference`, rate(ours) / pure, cores <= 4 ? 0.7 : 0.65),
    ratio(`${at} ours over Python with a process per core`, rate(ours) / rate(each), 1.2),
    ratio(`${at} ours over files first`, rate(ours) / rate(files), 2.2),
  ];
}

/** A network of ResNet-50's size, beside which everything else should cost next to nothing. */
async function heavyOn(peers: Peers, cores: number): Promise<Figure[]> {
  const model = await writeNet(join(peers.input.scratch, 'heavy.onnx'), heavyNet);
  const ask = pythonOn(peers, cores, ['--model', model]);
  const before = await ask(8, 'process_per_core', '--pure', pureSeconds);
  const ours = await ourRun(peers, cores, share(peers.photographs, cores / 40), ['--model', model, ...alike]);
  const after = await ask(8, 'process_per_core', '--pure', pureSeconds);
  const pure = (before.rate + after.rate) / 2;
  const at = `${cores} cores, a network of ResNet-50’s size:`;
  return [
    speed(`${at} pure inference`, pure),
    speed(`${at} ours`, ours.variants / ours.seconds),
    ratio(`${at} ours over pure inference`, ours.variants / ours.seconds / pure, 0.95),
  ];
}

/** Peak memory of a run on four threads, at a quarter of the photographs and at all of them: it must not grow with the data. */
async function memoryOf({ input, photographs }: Peers): Promise<Figure[]> {
  const { scratch, manifest, backgrounds, bin } = input;
  const model = input.model ?? (await writeLightNet(scratch));
  const peaks: number[] = [];
  for (const count of [share(photographs, 0.25), photographs]) {
    const data = await firstRows(manifest, count, join(scratch, `peers-${count}.csv`));
    const what = ['--model', model, '--scenarios', scenarios.join(','), '--backgrounds', backgrounds, ...alike];
    const out = await mkdtemp(join(scratch, 'peers-'));
    peaks.push(await peakMemory(bin, ['run', '--data', data, ...what, '--threads', '4', '--out', out, '--json']));
  }
  const name = `peak memory, ${photographs} photographs over ${share(photographs, 0.25)}`;
  return [
    { name: `${name.replace(/ over.*/, '')}`, value: peaks[1] / 2 ** 20, unit: 'MiB' },
    { name, value: peaks[1] / peaks[0], unit: '×', limit: { atMost: 1.05 } },
  ];
}

async function onGpu(peers: Peers, cores: number): Promise<Figure[]> {
  const ask = pythonOn(peers, cores, []);
  const count = 2 * peers.photographs;
  const { rate: pure } = await ask(8, 'data_loader', '--pure', pureSeconds);
  const loader = await ask(count, 'data_loader');
  const program = `command:${peers.python} ${resolve('examples/pytorch/model.py')} --arch resnet50 --batch 256`;
  const ours = await ourRun(peers, cores, count, ['--model', program, ...alike]);
  return [
    speed('GPU: pure inference', pure),
    speed(`GPU: DataLoader with ${cores} processes`, loader.variants / loader.seconds),
    speed(`GPU: ours with ${cores} threads`, ours.variants / ours.seconds),
    speed('GPU: ours, with start, scores and report', ours.variants / ours.whole),
    ratio('GPU: ours over the DataLoader', ours.variants / ours.seconds / (loader.variants / loader.seconds), 1.5),
  ];
}

interface Timed {
  readonly variants: number;
  readonly seconds: number;
  readonly rate: number;
}

/** Runs a script of `peers/` on some of the cores; what it prints last is its figures. */
function pythonOn({ python, input }: Peers, cores: number, more: string[]) {
  return async (count: number, script: string, ...options: (string | number)[]): Promise<Timed> => {
    const data = await firstRows(input.manifest, count, join(input.scratch, `peers-${count}.csv`));
    const args = ['--data', data, '--backgrounds', input.backgrounds, '--cores', cores, ...more, ...options].map(
      String,
    );
    const path = resolve('bench/peers', `${script}.py`);
    const { stdout } = await start(...limited(cores, python, [path, ...args]), { maxBuffer: 2 ** 26 });
    return JSON.parse(stdout.trim().split('\n').at(-1) as string);
  };
}

/** `sceneshift run` as a whole command; `seconds` are those of the work, as the Python scripts count theirs. */
async function ourRun({ input }: Peers, cores: number, count: number, what: string[]) {
  const { scratch, manifest, backgrounds, bin } = input;
  const data = await firstRows(manifest, count, join(scratch, `peers-${count}.csv`));
  const out = await mkdtemp(join(scratch, 'peers-'));
  const options = ['--scenarios', scenarios.join(','), '--backgrounds', backgrounds, '--threads', String(cores)];
  const args = [bin, 'run', '--data', data, ...what, ...options, '--out', out, '--json'];
  const started = performance.now();
  const { stdout } = await start(...limited(cores, process.execPath, args), { maxBuffer: 2 ** 28 });
  const { rows, seconds } = JSON.parse(stdout);
  return { variants: rows as number, seconds: seconds as number, whole: (performance.now() - started) / 1000 };
}

function limited(cores: number, program: string, args: string[]): [string, string[]] {
  if (cores >= availableParallelism()) return [program, args];
  return ['taskset', ['-c', `0-${cores - 1}`, program, ...args]];
}

const speed = (name: string, value: number): Figure => ({ name, value, unit: 'variants/s' });
const ratio = (name: string, value: number, atLeast: number): Figure => ({
  name,
  value,
  unit: '×',
  limit: { atLeast },
});

async function writeLightNet(folder: string): Promise<string> {
  const path = join(folder, 'peers.onnx');
  const layers = [
    { channels: 32, kernel: 3, stride: 2 },
    { channels: 64, kernel: 3, stride: 2 },
    { channels: 128, kernel: 3, stride: 2 },
  ];
  await writeFile(path, plainNet({ sizePx: 224, outputs: 1000, layers }));
  await writeFile(`${path}.json`, JSON.stringify({ preprocessing: 'imagenet' }));
  return path;
}
