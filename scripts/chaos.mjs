// `node scripts/chaos.mjs --kills 1000 --seed S [--commands all] [--faults all] [--jobs 2]`: the long form of test/chaos, on the
// built command line; `--each N` instead: every command under every fault N times. SIGUSR2 prints the table so far. Status 1 if anything did not hold.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, sh } from './setup.mjs';

const bundle = '-d .cache/chaos --no-config --no-dts --platform node --format esm --logLevel error'.split(' ');
if (!existsSync(join(root, 'dist', 'cli.js'))) sh('npm', ['run', 'build']);
sh('npx', ['--no-install', 'tsdown', 'test/chaos/main.ts', ...bundle]);
const { status } = spawnSync(process.execPath, [join(root, '.cache/chaos/main.mjs'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
