// Trains the two models of the demo anew and writes them to benchmark/tiny/ (some minutes on one core).
import { install, sh } from './setup.mjs';

try {
  install();
  sh(process.execPath, ['scripts/build-kernels.mjs']);
  const target = '-d .cache/make-demo-models --no-config --no-dts --platform node --format esm --logLevel error';
  sh('npx', ['--no-install', 'tsdown', 'benchmark/tiny/make.ts', ...target.split(' ')]);
  sh(process.execPath, ['.cache/make-demo-models/make.mjs', 'benchmark/tiny', ...process.argv.slice(2)]);
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
