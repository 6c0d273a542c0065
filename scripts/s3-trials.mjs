// `node scripts/s3-trials.mjs [radosgw] [swift] [s3rver] [--workers 1,2,4] [--shares 4] [--kills 10] [--commands]`: the long form of the tests on object
// storage, on the built command line: workers, shares and killed workers, the server stopped twice in each. Needs redis-server and, as root,
// Debian's radosgw ceph-mon ceph-osd or its swift-*; what is not there is left out. Status 1 where anything stored differs from one disk's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, sh } from './setup.mjs';

const bundle = '-d .cache/s3-trials --no-config --no-dts --platform node --format esm --logLevel error'.split(' ');
if (!existsSync(join(root, 'dist', 'cli.js'))) sh('npm', ['run', 'build']);
sh('npx', ['--no-install', 'tsdown', 'test/s3/main.ts', ...bundle]);
const { status } = spawnSync(process.execPath, [join(root, '.cache/s3-trials/main.mjs'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
