// `npm test`: installs and builds what is missing, then runs every check. What does not need another's result runs beside it.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { install, isBuilt, root, systemProgram } from './setup.mjs';

const windows = process.platform === 'win32';
const node = (...args) => [process.execPath, args];
const tool = (name, ...args) => [join(root, 'node_modules', '.bin', name), args];
const types = (...args) =>
  // One thread: several look at the same files several times over.
  node(join('node_modules', 'typescript-7', 'bin', 'tsc'), '--noEmit', '--singleThreaded', ...args);
/** TypeScript 7 needs 0.85 GB where it never looks for garbage, 0.75 otherwise, and a fifth less time. */
const collectNothing = { env: { ...process.env, GOGC: 'off' } };

/** Everything but the format reads the kernels. */
const kernels = ['kernels', node(join('scripts', 'build-kernels.mjs'))];
/** What tests import, for Node to load by itself. */
const sources = ['sources for the tests', node(join('scripts', 'translate-sources.mjs'))];
const building = ['building', ['npm', ['run', '--silent', 'build']]];
const format = ['lint and format', tool('biome', 'check', '.')];
/** Each takes one core. */
const looks = [
  ['types', types(), collectNothing],
  ["types of the studio's page", types('-p', 'web'), collectNothing],
  ['layers', node(join('scripts', 'layers.mjs'))],
];
/** The longest of them would be alone at the end: it runs beside the tests. */
const deadCode = ['dead code', tool('knip')];

/** Its output on the terminal as it comes: there are minutes of it. */
const endToEnd = ['end-to-end tests', tool('vitest', 'run', '--project', 'e2e'), { stdio: 'inherit' }];
const unitWorkers = Math.max(1, Math.floor(availableParallelism() / 2));
/** Beside the end-to-end tests, which wait at times (for a queue's locks, a browser, npm): this fills the gaps. */
const unit = ['unit and golden tests', tool('vitest', 'run', '--project', 'unit', `--maxWorkers=${unitWorkers}`)];
const otherNodes = (...options) => node(join('scripts', 'try-node.mjs'), '20', '26', ...options);
/** Beside the installation, which waits for the network and the disk. */
const fetchNodes = ['fetching the oldest and the newest Node', otherNodes('--fetch')];
const tryNodes = ['the oldest and the newest Node', otherNodes('--built')];

/** Runs a check quietly; its output is shown whole when it ends, so that two do not mix. */
function check([title, [command, args], { stdio = 'pipe', env } = {}]) {
  if (stdio === 'inherit') console.log(`• ${title}`);
  const child = spawn(command, args, { cwd: root, stdio, env, shell: windows && command !== process.execPath });
  let said = '';
  child.stdout?.on('data', (data) => (said += data));
  child.stderr?.on('data', (data) => (said += data));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => {
      if (stdio === 'pipe') console.log(`• ${title}`);
      if (said.trim()) console.log(said.trimEnd());
      if (status === 0) resolve();
      else reject(new Error(`${title} failed (status ${status ?? signal})`));
    });
  });
}

/** What fails does not keep the others from being told. */
async function all(checks) {
  const ended = await Promise.allSettled(checks);
  for (const { status, reason } of ended) if (status === 'rejected') throw reason;
}

try {
  // Trying them tells what could not be had.
  const fetched = check(fetchNodes).catch(() => {});
  const installed = install();
  // Beside npm, which waits for the network and the disk as well.
  systemProgram('redis-server', 'redis-server');
  await installed;
  // Nobody is asked from here on, and each Node that starts would read them all.
  delete process.env.NODE_EXTRA_CA_CERTS;
  const made = check(kernels);
  const waiting = [
    () => made.then(() => isBuilt() || check(building)),
    () => made.then(() => check(sources)),
    () => check(format),
    ...looks.map((look) => () => made.then(() => check(look))),
  ].values();
  const lane = async () => {
    for (const begin of waiting) await begin();
  };
  await all(Array.from({ length: Math.max(2, availableParallelism()) }, lane));
  process.env.SCENESHIFT_TEST_SOURCES = 'translated';
  await all([...[endToEnd, unit, deadCode].map(check), fetched.then(() => check(tryNodes))]);
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
