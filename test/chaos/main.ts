import { parseArgs } from 'node:util';
import { randomFor } from '../../src/stats/random.ts';
import { chaosCommands } from './commands.ts';
import { createEngine } from './engine.ts';
import { faults } from './faults.ts';

/** The long form: strikes until so many have landed on each kind asked for; a table, and every breach by its seed. */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '0' },
    commands: { type: 'string', default: 'run,render,train,mask,explain,report' },
    faults: { type: 'string', default: 'kill,interrupt' },
    each: { type: 'string', default: '0' },
    jobs: { type: 'string', default: '1' },
  },
});

const chosen = <T extends { name: string }>(all: readonly T[], names: string): T[] => {
  if (names === 'all') return [...all];
  return names.split(',').map((name) => {
    const found = all.find((one) => one.name === name);
    if (!found) throw new Error(`Expected one of ${all.map((one) => one.name).join(', ')}, received ${name}`);
    return found;
  });
};

const commands = chosen(chaosCommands, values.commands);
const possible = chosen(faults, values.faults).filter((fault) => {
  const lacking = fault.lacking?.();
  if (lacking) console.log(`- ${fault.name}: left out, ${lacking}`);
  return !lacking;
});
const pairs = commands.flatMap((command) =>
  possible.filter(({ fits }) => fits?.(command) ?? true).map((fault) => ({ command, fault })),
);
const wanted = Number(values.kills);
const counts = new Map(pairs.map((pair) => [pair, { trials: 0, struck: 0, breaches: 0 }]));
const total = (what: 'trials' | 'struck' | 'breaches') =>
  [...counts.values()].reduce((sum, count) => sum + count[what], 0);
let next = Number(values.seed);
let stopped = false;

/** With `--each N` every command meets every fault so often; else they are drawn until enough strikes have landed. */
const listed = Array.from({ length: Number(values.each) }, () => pairs).flat();
const nextPair = () => {
  if (stopped) return undefined;
  if (Number(values.each)) return listed.shift();
  return total('struck') < wanted ? randomFor(next, 'pair').pick(pairs) : undefined;
};

async function lane(): Promise<void> {
  const engine = await createEngine();
  try {
    for (;;) {
      const pair = nextPair();
      if (!pair) return;
      const seed = next++;
      const { struck, faults: breaches } = await engine.try(pair.command, pair.fault, seed);
      const count = counts.get(pair) as { trials: number; struck: number; breaches: number };
      count.trials++;
      count.struck += struck;
      if (breaches.length) {
        count.breaches++;
        console.log(`✗ ${pair.command.name}, ${pair.fault.name}, seed ${seed}:\n    ${breaches.join('\n    ')}`);
      }
      process.stderr.write(`${total('trials')} trials, ${total('struck')} strikes, ${total('breaches')} breaches\n`);
    }
  } finally {
    await engine.close();
  }
}

/** So far, also when it is stopped before its end. */
function table(): void {
  console.log('| command | fault | trials | strikes | breaches |\n| --- | --- | ---: | ---: | ---: |');
  for (const [{ command, fault }, { trials, struck, breaches }] of counts)
    if (trials) console.log(`| ${command.name} | ${fault.name} | ${trials} | ${struck} | ${breaches} |`);
  console.log(`| all | | ${total('trials')} | ${total('struck')} | ${total('breaches')} |`);
}

process.on('SIGUSR2', table);
// What is mounted or made immutable is put right by the trial in hand.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => (stopped = true));
const lanes = await Promise.allSettled(Array.from({ length: Number(values.jobs) }, lane));
table();
const broken = lanes.filter((one) => one.status === 'rejected');
for (const { reason } of broken) console.log(`✗ ${reason.message}`);
process.exitCode = total('breaches') || broken.length ? 1 : 0;
