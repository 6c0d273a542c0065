// The long form, bundled and started by scripts/fuzz.mjs. What is through is kept in .cache/fuzz, so that the same call goes on.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Batch, type CampaignFault, planBatches, runCampaign } from './campaign.ts';
import type { Tally } from './fuzz.ts';
import { targets } from './targets.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '0' },
    jobs: { type: 'string', default: '1' },
    fresh: { type: 'boolean', default: false },
  },
});
const [count, seed, jobs] = [values.count, values.seed, values.jobs].map(Number);
const unknown = positionals.find((name) => !targets.some((target) => target.name === name));
if (unknown || !(count > 0 && jobs > 0 && seed >= 0)) {
  console.error(
    unknown
      ? `Expected one of ${targets.map(({ name }) => name).join(', ')} but received '${unknown}'`
      : 'Expected whole numbers for --count, --seed and --jobs',
  );
  process.exit(2);
}

interface Row extends Tally {
  faults: number;
  /** Seconds that processes were fed for it. */
  seconds: number;
}
interface State {
  readonly done: Record<string, true>;
  readonly rows: Record<string, Row>;
}

/** Beside the bundle, so that a copy of it runs on undisturbed by the next. */
const here = import.meta.dirname;
const stateFile = join(here, `state-${[count, seed, ...positionals].join('-')}.json`);
const state: State = values.fresh ? { done: {}, rows: {} } : readState();
const corpus = join('test', 'fuzz', 'corpus');
const keyOf = ({ target, first, count: size }: Batch) => `${target} ${first} ${size}`;
const rowOf = (target: string): Row =>
  (state.rows[target] ??= { inputs: 0, refused: 0, cpuSeconds: 0, megabytes: 0, growth: 0, faults: 0, seconds: 0 });
const all = planBatches(count, seed, positionals);
const left = all.filter((batch) => !state.done[keyOf(batch)]);
if (left.length < all.length) console.error(`${all.length - left.length} of ${all.length} batches are through already`);

const started = new Map<string, number>();
const pool = left[Symbol.iterator]();
function* noted(): Generator<Batch> {
  for (const batch of pool) {
    started.set(keyOf(batch), performance.now());
    yield batch;
  }
}
await runCampaign(noted(), {
  corpus,
  child: join(here, 'main.mjs'),
  jobs,
  onFault(fault) {
    rowOf(fault.target).faults++;
    console.log(
      `✗ ${fault.target} ${fault.seed}: ${fault.reason.split('\n').slice(0, 4).join('\n  ')}\n  kept: ${keepFault(fault)}`,
    );
  },
  onBatch(batch, tally) {
    const row = rowOf(batch.target);
    row.inputs += tally.inputs;
    row.refused += tally.refused;
    row.seconds += (performance.now() - (started.get(keyOf(batch)) ?? 0)) / 1000;
    for (const key of ['cpuSeconds', 'megabytes', 'growth'] as const) row[key] = Math.max(row[key], tally[key]);
    state.done[keyOf(batch)] = true;
    writeFileSync(`${stateFile}.new`, JSON.stringify(state));
    renameSync(`${stateFile}.new`, stateFile);
    const inputs = Object.values(state.rows).reduce((sum, one) => sum + one.inputs, 0);
    process.stderr.write(`${inputs} of ${count} inputs, ${faults()} faults\n`);
  },
});
printTable();
process.exitCode = faults() ? 1 : 0;

function faults(): number {
  return Object.values(state.rows).reduce((sum, row) => sum + row.faults, 0);
}

function readState(): State {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8'));
  } catch {
    return { done: {}, rows: {} };
  }
}

function keepFault({ target, seed: of, input }: CampaignFault): string {
  const name = String(of).replace('.json', '');
  mkdirSync(join(corpus, target), { recursive: true });
  const path = join(corpus, target, `${name}.json`);
  writeFileSync(path, `${JSON.stringify(input, null, 1)}\n`);
  return path;
}

function printTable(): void {
  const columns = ['target', 'inputs', 'refused', 'per second', 'worst CPU', 'worst memory', 'growth', 'faults'];
  const lines = Object.entries(state.rows).map(([target, row]) => [
    target,
    row.inputs.toLocaleString('en'),
    `${((100 * row.refused) / row.inputs).toFixed(0)} %`,
    (row.inputs / row.seconds).toFixed(0),
    `${(1000 * row.cpuSeconds).toFixed(0)} ms`,
    `${row.megabytes.toFixed(0)} MB`,
    `${row.growth.toFixed(0)} MB`,
    String(row.faults),
  ]);
  console.log(`| ${columns.join(' | ')} |\n|${columns.map((_, i) => (i ? ' ---: |' : ' --- |')).join('')}`);
  for (const line of lines) console.log(`| ${line.join(' | ')} |`);
  const inputs = Object.values(state.rows).reduce((sum, { inputs: each }) => sum + each, 0);
  console.log(`\n${faults() ? '✗' : '✓'} ${inputs.toLocaleString('en')} inputs from seed ${seed}, ${faults()} faults`);
}
