// `node scripts/queue-trials.mjs [kills] [network] [--kills 30] [--restarts 3] [--delay 80] [--loss 2]`: the long form of the queue's
// tests on the built command line: workers killed at random and a queue server that restarts; workers behind slow links that lose packets.
// Needs redis-server; for `network` root, /dev/net/tun, iproute2 and python3. Status 1 where any row differs from one process's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, sh } from './setup.mjs';

const bundle = '-d .cache/queue-trials --no-config --no-dts --platform node --format esm --logLevel error'.split(' ');
if (!existsSync(join(root, 'dist', 'cli.js'))) sh('npm', ['run', 'build']);
sh('npx', ['--no-install', 'tsdown', 'test/queue/main.ts', ...bundle]);
const { status } = spawnSync(process.execPath, [join(root, '.cache/queue-trials/main.mjs'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
