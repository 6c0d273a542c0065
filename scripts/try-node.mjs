// node scripts/try-node.mjs VERSION...: the essential part of the suite on other versions of Node, fetched from npm:
// everything that touches a native library, a thread or a stream, and one whole run of the built command line.
// A version that cannot be had costs a line; with --required, the check. --fetch only fetches them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, root } from './setup.mjs';

const unitTests = [
  'src/models/classifier.test.ts',
  'src/models/command',
  'src/image/decode.test.ts',
  'src/run/folder/store.test.ts',
];

const isThisNode = (version) => `${process.versions.node}.`.startsWith(`${version}.`);

/** The program of a Node version, in a folder that git ignores; undefined: it cannot be had. */
function fetchNode(version) {
  const system = { win32: 'win', linux: 'linux', darwin: 'darwin' }[process.platform];
  const name = `node-${system}-${process.arch}`;
  const folder = join(root, '.cache', `node-${version}`);
  const program = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(program)) {
    const fetched = ['--fetch-retries=0', '--fetch-timeout=30000', '--no-audit', '--no-fund', '--ignore-scripts'];
    const args = ['install', '--no-save', '--loglevel=error', ...fetched, '--prefix', folder, `${name}@${version}`];
    spawnSync('npm', args, { cwd: root, shell: process.platform === 'win32', timeout: 120_000, stdio: 'ignore' });
  }
  const said = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1) ?? '';
  return said.startsWith(version) ? program : undefined;
}

function check(program, title, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', timeout: 600_000 });
  if (status === 0) return stdout;
  throw new Error(`${title} failed (status ${status}):\n${stdout.slice(-4000)}\n${stderr.slice(-4000)}`);
}

function tryVersion(program) {
  check(program, 'unit tests', [
    join('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--project',
    'unit',
    '--maxWorkers=1',
    ...unitTests,
  ]);
  const out = mkdtempSync(join(tmpdir(), 'try-node-'));
  try {
    const model = join('benchmark', 'models', 'plain-biased-1.onnx');
    const run = ['run', '--data', 'benchmark', '--model', model, '--scenarios', 'original,blur-background,no-fg'];
    const cli = join('bin', 'sceneshift.js');
    const result = JSON.parse(
      check(program, 'a run', [cli, ...run, '--limit', '8', '--out', join(out, 'run'), '--json']),
    );
    if (result.errors !== 0 || result.rows !== 24)
      throw new Error(`a run gave ${result.rows} rows, ${result.errors} errors`);
    check(program, 'doctor', [cli, 'doctor']);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function tryNodes(versions, { required = false } = {}) {
  for (const version of versions) {
    if (isThisNode(version)) {
      console.log(`  Node ${version}: the rest of the suite ran on it (${process.versions.node})`);
      continue;
    }
    const program = fetchNode(version);
    if (!program && required) throw new Error(`Node ${version} cannot be had from npm`);
    if (!program) {
      console.log(`  Node ${version}: not tried, since it cannot be had from npm here`);
      continue;
    }
    const started = Date.now();
    tryVersion(program);
    console.log(`  Node ${version}: ✓ (${((Date.now() - started) / 1000).toFixed(0)} s)`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const versions = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  try {
    if (!versions.length) throw new Error('expected versions of Node: node scripts/try-node.mjs 20.19 26');
    if (process.argv.includes('--fetch')) {
      for (const version of versions) if (!isThisNode(version)) fetchNode(version);
    } else {
      // A build under way would take the files away from who runs beside this.
      if (!process.argv.includes('--built')) build();
      tryNodes(versions, { required: process.argv.includes('--required') });
    }
  } catch (error) {
    console.error(`✗ ${error.message}`);
    process.exitCode = 1;
  }
}
