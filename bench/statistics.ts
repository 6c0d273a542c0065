import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { analyze } from '../src/metrics/analyze/analyze.ts';
import { readCsv } from '../src/metrics/csv.ts';
import { scorePredictions } from '../src/metrics/score/compute.ts';
import { loadScores } from '../src/metrics/table/load.ts';
import { randomFor } from '../src/stats/random.ts';
import type { BenchInput, Figure } from './main.ts';

/** `score` and `analyze` on a million predictions: what they take beyond reading the file. */
export async function benchStatistics({ scratch }: BenchInput): Promise<Figure[]> {
  const path = await writePredictions(join(scratch, 'million.csv'));
  await readAll(path);
  const reading = await seconds(() => readAll(path));
  const scoring = await seconds(async () => {
    const loaded = await loadScores(path);
    if (loaded.kind === 'predictions') scorePredictions(loaded.predictions);
  });
  const analyzing = await seconds(async () => {
    analyze(await readCsv(path), { formula: 'accuracy ~ model + scenario + class' });
  });
  const logistic = await seconds(async () => {
    analyze(await readCsv(path), { formula: 'correct ~ model + scenario + class', family: 'binomial' });
  });
  return [
    { name: 'a million predictions: reading', value: reading, unit: 's (CPU)' },
    {
      name: 'a million predictions: score beyond reading',
      value: scoring - reading,
      unit: 's (CPU)',
      limit: { atMost: 2 },
    },
    {
      name: 'a million predictions: analyze beyond reading',
      value: analyzing - reading,
      unit: 's (CPU)',
      limit: { atMost: 2 },
    },
    { name: 'a million predictions: per-image logistic beyond reading', value: logistic - reading, unit: 's (CPU)' },
  ];
}

async function readAll(path: string): Promise<void> {
  const table = await readCsv(path);
  for (const name of table.names) table.text(name);
}

async function writePredictions(path: string): Promise<string> {
  const random = randomFor('a million predictions');
  const out = createWriteStream(path);
  out.write('model,scenario,sample,label,prediction\n');
  for (let model = 0; model < 5; model++) {
    for (let scenario = 0; scenario < 20; scenario++) {
      const lines: string[] = [];
      for (let sample = 0; sample < 10_000; sample++) {
        const label = sample % 12;
        const right = random.uniform() < 0.95 - 0.02 * model - 0.02 * scenario;
        const answer = right ? label : (label + random.integer(1, 11)) % 12;
        lines.push(
          `model-${model},${scenario ? `scenario-${scenario}` : 'original'},images/${sample}.jpg,class-${label},class-${answer}`,
        );
      }
      if (!out.write(`${lines.join('\n')}\n`)) await new Promise<void>((resolve) => out.once('drain', resolve));
    }
  }
  await finished(out.end());
  return path;
}

/** Seconds of processor time: what a quiet machine would take, however busy this one is. */
async function seconds(act: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
