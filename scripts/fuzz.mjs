// `node scripts/fuzz.mjs TARGET [--count N] [--seed N]`: the long form of test/fuzz. A child feeds the inputs; one that crashes it,
// hangs it for a minute, or makes it answer with anything but a line is kept in test/fuzz/corpus and named. Status 1 if any was.
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, sh } from './setup.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '0' } },
});
const [target = 'readers'] = positionals;
const hangMs = 60_000;
/** A fresh process now and then: growth that only a long one shows is looked for by the memory limit within each. */
const perProcess = 2000;
const corpus = join(root, 'test', 'fuzz', 'corpus');
const bundle = '-d .cache/fuzz --no-config --no-dts --platform node --format esm --logLevel error'.split(' ');

function keep(name, input) {
  mkdirSync(join(corpus, target), { recursive: true });
  const file = join(corpus, target, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(input, null, 1)}\n`);
  return file;
}

/** Feeds seeds from `first` on; resolves to the number fed and the faults. */
function feed(first, count) {
  return new Promise((resolve) => {
    const child = fork(join(root, '.cache/fuzz/main.mjs'), [target, String(count), String(first), corpus], {
      cwd: root,
    });
    const faults = [];
    let last;
    let hung = false;
    let watchdog;
    const rewind = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => {
        hung = true;
        child.kill('SIGKILL');
      }, hangMs);
    };
    rewind();
    child.on('message', ({ seed, fault }) => {
      rewind();
      if (fault) faults.push(fault);
      else last = seed;
    });
    child.on('exit', (code, signal) => {
      clearTimeout(watchdog);
      if (code === 2) process.exit(2);
      if (code !== 0)
        faults.push({
          seed: last,
          reason: hung ? `no end after ${hangMs / 1000} s` : `the process ended (${signal ?? code})`,
        });
      resolve({ fed: code === 0 ? count : typeof last === 'number' ? last - first + 1 : 1, faults });
    });
  });
}

try {
  sh('npx', ['--no-install', 'tsdown', 'test/fuzz/main.ts', ...bundle]);
  const [start, total] = [Number(values.seed), Number(values.count)];
  let [done, faulty] = [0, 0];
  while (done < total) {
    const { fed, faults } = await feed(start + done, Math.min(perProcess, total - done));
    for (const { seed, reason, input } of faults) {
      faulty++;
      console.log(
        `✗ ${target} ${seed}: ${reason}${input ? ` (kept: ${keep(String(seed).replace('.json', ''), input)})` : ''}`,
      );
    }
    done += fed;
    process.stderr.write(`${done} of ${total} inputs, ${faulty} faults\n`);
  }
  console.log(`${faulty ? '✗' : '✓'} ${target}: ${done} inputs, ${faulty} faults`);
  process.exitCode = faulty ? 1 : 0;
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
