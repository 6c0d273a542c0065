import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PredictionRow } from '../src/contracts/prediction.ts';
import { findMissing } from '../src/run/find-missing.ts';
import { openRunStore } from '../src/run/folder/index.ts';
import { hashJson } from '../src/run/hash.ts';
import type { Plan } from '../src/run/plan.ts';
import type { BenchInput, Figure } from './main.ts';

const images = Number(process.env.BENCH_IMAGES ?? 200_000);
const scenarios = ['original', 'grey', 'blur-background', 'random-background', 'size:0.05'];
/** As `createShardWriter` cuts them. */
const shardRows = 1024;

interface Usage {
  readonly rows: number;
  readonly megabytes: number;
  readonly handles: number;
}

const usage = (rows: number): Usage => ({
  rows,
  megabytes: process.memoryUsage().rss / 2 ** 20,
  handles: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
});

/** Of this process, so that a machine shared with others gives the same. */
const processorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const conditions = scenarios.map((scenario) => ({
  hash: hashJson(['bench', scenario]),
  scenario,
  model: 0,
  given: false,
}));
const sampleId = (i: number) => `images/${i % 1000}/${i}.jpg`;

function row(i: number) {
  const [sample, c] = [Math.floor(i / scenarios.length), i % scenarios.length];
  const answer: PredictionRow = {
    ...{ model: 'bench', trained: '', scenario: scenarios[c], sample: sampleId(sample), group: '' },
    ...{ label: `class-${sample % 1000}`, fold: -1, prediction: `class-${(sample + (i % 3)) % 1000}` },
    ...{
      probability: 0.5,
      probabilityTruth: 0.4,
      rankTruth: 1 + (i % 3),
      correct: i % 3 === 0,
      correctOwn: i % 3 === 0,
    },
  };
  return { ...answer, condition: conditions[c].hash, sampleHash: hashJson(sample) };
}

/** A run of 200,000 photographs, its rows by a rule, through the real store: what it holds open, and what going on costs. */
export async function benchShards({ scratch }: BenchInput): Promise<Figure[]> {
  const run = join(scratch, 'many-shards');
  const rows = images * scenarios.length;
  const used: Usage[] = [];
  const begun = processorSeconds();
  const store = await openRunStore(run);
  for (let first = 0; first < rows; first += shardRows) {
    const count = Math.min(shardRows, rows - first);
    await store.write(
      'predictions',
      Array.from({ length: count }, (_, k) => row(first + k)),
    );
    if (Math.floor((first + count) / (rows / 10)) > used.length) {
      used.push(usage(first + count));
      process.stderr.write(`${JSON.stringify(used[used.length - 1])}\n`);
    }
  }
  store.close();
  const writeSeconds = processorSeconds() - begun;

  // The plan of the same call again, one photograph more than there was.
  const plannedSamples = Array.from({ length: images + 1 }, (_, i) => ({
    sample: { id: sampleId(i) },
    sampleHash: hashJson(i),
  }));
  const all = conditions.map((_, c) => c);
  const plan = { plannedSamples, conditions, models: [{ name: 'bench' }], wanted: plannedSamples.map(() => all) };
  const before = usage(rows);
  const [resumed, clock] = [processorSeconds(), performance.now()];
  const again = await openRunStore(run);
  await again.removeRepeated('predictions');
  const known = new Set(plannedSamples.map(({ sample }) => sample.id));
  const { missing, outdated } = await findMissing(again, plan as unknown as Plan, known);
  const resumeSeconds = processorSeconds() - resumed;
  const waited = (performance.now() - clock) / 1000;
  const after = usage(rows);
  again.close();
  if (missing.length !== 1 || outdated) throw new Error(`Expected one sample to be missing, found ${missing.length}`);

  const [early, late] = [used[1], used[used.length - 1]];
  return [
    { name: `shards: rows of ${images} images`, value: rows, unit: 'rows' },
    { name: 'shards: writing, processor time', value: writeSeconds, unit: 's' },
    { name: 'shards: memory at a fifth', value: early.megabytes, unit: 'MiB' },
    { name: 'shards: memory at the end', value: late.megabytes, unit: 'MiB' },
    {
      name: 'shards: memory, end over a fifth',
      value: late.megabytes / early.megabytes,
      unit: '×',
      limit: { atMost: 1.25 },
    },
    {
      name: 'shards: open files, end minus a fifth',
      value: late.handles - early.handles,
      unit: '',
      limit: { atMost: 2 },
    },
    { name: 'shards: what is missing is known after, processor time', value: resumeSeconds, unit: 's' },
    { name: 'shards: the same, by the clock', value: waited, unit: 's' },
    { name: 'shards: memory for that', value: after.megabytes - before.megabytes, unit: 'MiB' },
    { name: 'shards: open files then', value: after.handles, unit: '' },
    { name: 'shards: going on over writing', value: resumeSeconds / writeSeconds, unit: '×', limit: { atMost: 1 } },
  ];
}
