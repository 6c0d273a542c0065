// `npm run bench [-- SECTION… --data MANIFEST --backgrounds DIR --model FILE --json]`: speed as ratios within one run.
import { build, install, sh } from './setup.mjs';

try {
  await install();
  build();
  const target = [
    '-d',
    '.cache/bench',
    '--no-config',
    '--no-dts',
    '--platform',
    'node',
    '--format',
    'esm',
    '--logLevel',
    'error',
  ];
  sh('npx', ['--no-install', 'tsdown', 'bench/main.ts', 'bench/inference-worker.ts', ...target]);
  sh('node', ['.cache/bench/main.mjs', ...process.argv.slice(2)]);
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
