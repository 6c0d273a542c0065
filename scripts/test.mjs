// `npm test`: installs and builds what is missing, then runs every check. Stops at the first that fails.
import { spawn } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { build, install, root, systemProgram } from './setup.mjs';

/** Each takes one core: two at a time. */
const looks = [
  ['types', 'tsc', ['--noEmit']],
  ["types of the studio's page", 'tsc', ['--noEmit', '-p', 'web']],
  ['lint and format', 'biome', ['check', '.']],
  ['layers', 'depcruise', ['src', '--config', '.dependency-cruiser.cjs']],
  ['dead code', 'knip', []],
];

/** Waits for npm, then takes one core: beside the end-to-end tests, which wait at times too. */
const nodes = [
  'the oldest and the newest Node',
  process.execPath,
  [join(root, 'scripts', 'try-node.mjs'), '20', '26', '--built'],
];

const windows = process.platform === 'win32';

/** Resolves when it has ended well. */
function ended(child, command, args) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => {
      if (status === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} failed (status ${status ?? signal})`));
    });
  });
}

/** Runs a check quietly; its output is shown whole when it ends, so that two do not mix. */
async function look([title, command, args]) {
  const program = isAbsolute(command) ? command : join(root, 'node_modules', '.bin', command);
  const child = spawn(program, args, { cwd: root, shell: windows && program !== command });
  let said = '';
  child.stdout.on('data', (data) => (said += data));
  child.stderr.on('data', (data) => (said += data));
  try {
    await ended(child, command, args);
  } finally {
    console.log(`• ${title}`);
    if (said.trim()) console.log(said.trimEnd());
  }
}

/** Takes all cores; its output on the terminal as it comes. */
function test(title, project) {
  console.log(`• ${title}`);
  const args = ['run', '--project', project];
  const program = join(root, 'node_modules', '.bin', 'vitest');
  return ended(spawn(program, args, { cwd: root, stdio: 'inherit', shell: windows }), 'vitest', args);
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
  await test('unit and golden tests', 'unit');
  const both = await Promise.allSettled([test('end-to-end tests', 'e2e'), look(nodes)]);
  for (const { status, reason } of both) if (status === 'rejected') throw reason;
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
