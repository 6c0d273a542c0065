import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { benchAnnotate } from './annotate.ts';
import { benchInference } from './inference.ts';
import { benchMemory } from './memory.ts';
import { benchPeers } from './peers.ts';
import { makeBackgrounds, makePhotographs } from './photographs.ts';
import { benchQueue } from './queue.ts';
import { benchRender } from './render.ts';
import { benchScenarios } from './scenarios.ts';
import { benchShards } from './shards.ts';
import { benchSlowEdits } from './slow-edits.ts';
import { benchStatistics } from './statistics.ts';
import { benchStudio } from './studio.ts';
import { benchTry } from './try.ts';
import { benchWaits } from './waits.ts';

/** A figure with the limit it is held to; ratios within one run, since machines differ and are shared. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly limit?: { readonly atMost?: number; readonly atLeast?: number };
}

export interface BenchInput {
  readonly manifest: string;
  readonly backgrounds: string;
  readonly model: string | undefined;
  readonly scratch: string;
  readonly bin: string;
  /** For `peers` alone. */
  readonly peers: {
    readonly python?: string;
    readonly photographs?: string;
    readonly cores?: string;
    readonly gpu?: boolean;
  };
}

const sections: Record<string, (input: BenchInput) => Promise<Figure[]>> = {
  scenarios: benchScenarios,
  'slow-edits': benchSlowEdits,
  render: benchRender,
  memory: benchMemory,
  inference: benchInference,
  shards: benchShards,
  queue: benchQueue,
  statistics: benchStatistics,
  studio: benchStudio,
  try: benchTry,
  annotate: benchAnnotate,
  waits: benchWaits,
  peers: benchPeers,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    backgrounds: { type: 'string' },
    model: { type: 'string' },
    json: { type: 'boolean' },
    python: { type: 'string' },
    photographs: { type: 'string' },
    cores: { type: 'string' },
    gpu: { type: 'boolean' },
  },
});
const wanted = positionals.length ? positionals : Object.keys(sections).filter((name) => name !== 'peers');
const unknown = wanted.find((name) => !sections[name]);
if (unknown) throw new Error(`unknown section ${unknown}; there are ${Object.keys(sections).join(', ')}`);

const scratch = await mkdtemp(join(tmpdir(), 'sceneshift-bench-'));
try {
  const note = (text: string) => process.stderr.write(`• ${text}\n`);
  if (!values.data) note('no --data: making 960 pictures');
  const input: BenchInput = {
    manifest: values.data ? resolve(values.data) : await makePhotographs(join(scratch, 'photographs'), 960),
    backgrounds: values.backgrounds
      ? resolve(values.backgrounds)
      : await makeBackgrounds(join(scratch, 'backgrounds'), 12),
    model: values.model && resolve(values.model),
    scratch,
    bin: resolve('bin/sceneshift.js'),
    peers: values,
  };
  const figures: (Figure & { section: string })[] = [];
  for (const section of wanted) {
    note(section);
    for (const figure of await sections[section](input)) {
      figures.push({ section, ...figure });
      if (!values.json) process.stdout.write(`${line(figure)}\n`);
    }
  }
  if (values.json) {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    process.stdout.write(`${JSON.stringify({ version, node: process.versions.node, figures }, null, 2)}\n`);
  }
  if (figures.some((figure) => holds(figure) === false)) process.exitCode = 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}

function holds({ value, limit }: Figure): boolean | undefined {
  if (!limit) return undefined;
  return value <= (limit.atMost ?? Number.POSITIVE_INFINITY) && value >= (limit.atLeast ?? Number.NEGATIVE_INFINITY);
}

function line(figure: Figure): string {
  const { name, value, unit, limit } = figure;
  const bound =
    limit?.atMost !== undefined
      ? ` (at most ${limit.atMost})`
      : limit?.atLeast !== undefined
        ? ` (at least ${limit.atLeast})`
        : '';
  const mark = holds(figure) === undefined ? ' ' : holds(figure) ? '✓' : '✗';
  return `${mark} ${name.padEnd(58)} ${Number(value.toPrecision(3)).toString().padStart(9)} ${unit}${bound}`;
}
