// `npm test`: installs and builds what is missing, then runs every check. Stops at the first that fails.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, install, root, sh, systemProgram } from './setup.mjs';
import { tryNodes } from './try-node.mjs';

/** Each takes one core: two at a time. */
const looks = [
  ['types', 'tsc', ['--noEmit']],
  ["types of the studio's page", 'tsc', ['--noEmit', '-p', 'web']],
  ['lint and format', 'biome', ['check', '.']],
  ['layers', 'depcruise', ['src', '--config', '.dependency-cruiser.cjs']],
  ['dead code', 'knip', []],
];

/** Each takes all cores. */
const tests = [
  ['unit and golden tests', 'vitest', ['run', '--project', 'unit']],
  ['end-to-end tests', 'vitest', ['run', '--project', 'e2e']],
];

/** Runs a check quietly; its output is shown whole when it ends, so that two do not mix. */
function look([title, command, args]) {
  return new Promise((resolve, reject) => {
    const windows = process.platform === 'win32';
    const child = spawn(join(root, 'node_modules', '.bin', command), args, { cwd: root, shell: windows });
    let said = '';
    child.stdout.on('data', (data) => (said += data));
    child.stderr.on('data', (data) => (said += data));
    child.on('error', reject);
    child.on('close', (status, signal) => {
      console.log(`• ${title}`);
      if (said.trim()) console.log(said.trimEnd());
      if (status === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} failed (status ${status ?? signal})`));
    });
  });
}

try {
  install();
  systemProgram('redis-server', 'redis-server');
  build();
  const waiting = looks.values();
  const lane = async () => {
    for (const check of waiting) await look(check);
  };
  await Promise.all([lane(), lane()]);
  for (const [title, command, args] of tests) {
    console.log(`• ${title}`);
    sh('npx', ['--no-install', command, ...args]);
  }
  console.log('• the oldest and the newest Node');
  tryNodes(['20', '26']);
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
