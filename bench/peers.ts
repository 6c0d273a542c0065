import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { plainNet } from '../test/support/onnx.ts';
import { type Command, inTurns } from './in-turns.ts';
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

/** Long enough for a batch of the slowest network. */
const sliceSeconds = 2;

async function onCores(peers: Peers, cores: number): Promise<Figure[]> {
  const model = peers.input.model ?? (await writeLightNet(peers.input.scratch));
  const count = share(peers.photographs, Math.min(1, cores / 4));
  const what = ['--model', model];
  const { pure, each, ours } = await beside(peers, cores, count, model, true);
  const full = await ourRun(peers, cores, share(count, 0.25), what);
  const ask = pythonOn(peers, cores, what);
  const one = await ask(share(count, 0.125), 'one_process');
  const files = await ask(share(count, 0.125), 'files_first');
  const at = `${cores} cores:`;
  return [
    speed(`${at} pure inference`, pure),
    speed(`${at} Python, one process`, rateOf(one)),
    speed(`${at} Python, files first`, rateOf(files)),
    speed(`${at} Python, a process per core`, each),
    speed(`${at} ours`, rateOf(ours)),
    speed(`${at} ours, with start, scores and report`, ours.variants / ours.whole),
    speed(`${at} ours, with mattes and controls as a run comes`, rateOf(full)),
    ratio(`${at} ours over pure inference`, rateOf(ours) / pure, cores <= 4 ? 0.7 : 0.65),
    ratio(`${at} ours over Python with a process per core`, rateOf(ours) / each, 1.2),
    ratio(`${at} ours over files first`, rateOf(ours) / rateOf(files), 2.2),
  ];
}

/** A network of ResNet-50's size, beside which everything else should cost next to nothing: minutes, so that the start does too. */
async function heavyOn(peers: Peers, cores: number): Promise<Figure[]> {
  const model = await writeNet(join(peers.input.scratch, 'heavy.onnx'), heavyNet);
  const { pure, ours } = await beside(peers, cores, share(peers.photographs, Math.min(1, cores / 7.5)), model, false);
  const at = `${cores} cores, a network of ResNet-50’s size:`;
  return [
    speed(`${at} pure inference`, pure),
    speed(`${at} ours`, rateOf(ours)),
    ratio(`${at} ours over pure inference`, rateOf(ours) / pure, 0.95),
  ];
}

/** Ours in turns with pure inference and, where asked for, Python with a process per core: answers a second of each. */
async function beside(peers: Peers, cores: number, count: number, model: string, withPython: boolean) {
  const done = join(await mkdtemp(join(peers.input.scratch, 'turns-')), 'done');
  const { command, out } = await ourCommand(peers, cores, count, ['--model', model, ...alike]);
  const python = pythonCommand(peers, cores, ['--model', model]);
  const commands = [
    command,
    await python(8, 'process_per_core', '--pure', done),
    ...(withPython ? [await python(count, 'process_per_core')] : []),
  ];
  const onOver = (one: Command) => one === command && writeFileSync(done, '');
  const [our, pure, each] = await inTurns(commands, { sliceSeconds, onOver });
  const { rows, seconds } = JSON.parse(our.stdout);
  const { finished } = JSON.parse(await readFile(join(out, 'run.json'), 'utf8'));
  const end = Date.parse(finished) / 1000;
  const parts: [count: number, from: number, to: number][] = each ? lastLine(each.stdout).parts : [];
  const slowest = Math.max(...parts.map(([, from, to]) => each.active(from, to)));
  const batches: [size: number, times: [from: number, to: number][]][] = lastLine(pure.stdout).pure;
  return {
    ours: { variants: rows as number, seconds: our.active(end - seconds, end), whole: our.whole },
    each: sum(parts.map(([answers]) => answers)) / slowest,
    pure: sum(
      batches.map(([size, times]) => (size * times.length) / sum(times.map(([from, to]) => pure.active(from, to)))),
    ),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

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

const rateOf = ({ variants, seconds }: Pick<Timed, 'variants' | 'seconds'>) => variants / seconds;

/** A script of `peers/` on some of the cores. */
const pythonCommand =
  ({ python, input }: Peers, cores: number, more: string[]) =>
  async (count: number, script: string, ...options: (string | number)[]): Promise<Command> => {
    const data = await firstRows(input.manifest, count, join(input.scratch, `peers-${count}.csv`));
    const args = ['--data', data, '--backgrounds', input.backgrounds, '--cores', cores, ...more, ...options];
    return limited(cores, python, [resolve('bench/peers', `${script}.py`), ...args.map(String)]);
  };

/** What a script prints last is its figures. */
const lastLine = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) as string);

function pythonOn(peers: Peers, cores: number, more: string[]) {
  const command = pythonCommand(peers, cores, more);
  return async (...what: Parameters<typeof command>): Promise<Timed> => {
    const { program, args } = await command(...what);
    return lastLine((await start(program, args, { maxBuffer: 2 ** 26 })).stdout);
  };
}

async function ourCommand({ input }: Peers, cores: number, count: number, what: string[]) {
  const { scratch, manifest, backgrounds, bin } = input;
  const data = await firstRows(manifest, count, join(scratch, `peers-${count}.csv`));
  const out = await mkdtemp(join(scratch, 'peers-'));
  const options = ['--scenarios', scenarios.join(','), '--backgrounds', backgrounds, '--threads', String(cores)];
  const args = [bin, 'run', '--data', data, ...what, ...options, '--out', out, '--json'];
  return { command: limited(cores, process.execPath, args), out };
}

/** `sceneshift run` as a whole command; `seconds` are those of the work, as the Python scripts count theirs. */
async function ourRun(peers: Peers, cores: number, count: number, what: string[]) {
  const { command } = await ourCommand(peers, cores, count, what);
  const started = performance.now();
  const { stdout } = await start(command.program, command.args, { maxBuffer: 2 ** 28 });
  const { rows, seconds } = JSON.parse(stdout);
  return { variants: rows as number, seconds: seconds as number, whole: (performance.now() - started) / 1000 };
}

function limited(cores: number, program: string, args: string[]): Command {
  if (cores >= availableParallelism()) return { program, args };
  return { program: 'taskset', args: ['-c', `0-${cores - 1}`, program, ...args] };
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
