// `node scripts/fuzz.mjs [TARGET…] [--count N] [--seed N] [--jobs N] [--fresh]`: the long form of test/fuzz, see its README. Status 1
// if an input crashed or hung the program, took more than its limits, or was answered with anything but a result or a line.
// `--bundle` alone only writes .cache/fuzz, from which the same runs without this script: node .cache/fuzz/long.mjs …
import { root, sh } from './setup.mjs';

const options = '-d .cache/fuzz --no-config --no-dts --platform node --format esm --logLevel error --no-clean';
try {
  process.chdir(root);
  sh('node', ['scripts/build-kernels.mjs']);
  sh('npx', ['--no-install', 'tsdown', 'test/fuzz/main.ts', 'test/fuzz/long.ts', ...options.split(' ')]);
  if (!process.argv.includes('--bundle')) await import('../.cache/fuzz/long.mjs');
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
