// Set-up shared by `npm test`, `npm run demo` and `npm run bench`: plain Node, so that it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const windows = process.platform === 'win32';

/** Runs a command in the clone, its output on the terminal; throws with the command's name if it fails. */
export function sh(command, args, { env } = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
    // npm 11 warns about the setting of onnxruntime-node in .npmrc each time it starts.
    env: { ...process.env, npm_config_loglevel: 'error', ...env },
  });
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed (status ${result.status ?? result.signal})`);
}

/** When a file was last changed; 0: it is not there. */
export const changedAt = (path) => (existsSync(join(root, path)) ? statSync(join(root, path)).mtimeMs : 0);

export function newestUnder(path) {
  let newest = 0;
  for (const entry of readdirSync(join(root, path), { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && !entry.name.endsWith('.generated.ts')) {
      newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs);
    }
  }
  return newest;
}

/** Installs if the lock file is newer than the last install. */
export async function install() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Sceneshift needs Node 20.19 or newer; this is ${process.versions.node}. Get one from nodejs.org.`);
  }
  // npm takes this file for the lock file where there is one. Ctrl+C, which ends npm, must not leave it behind; a kill may have.
  const lock = join(root, 'npm-shrinkwrap.json');
  rmSync(lock, { force: true });
  if (changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json')) return;
  console.log('• installing packages');
  let interrupted = false;
  const noteInterrupt = () => (interrupted = true);
  process.on('SIGINT', noteInterrupt);
  try {
    const stored = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    writeFileSync(lock, JSON.stringify(lockWithAddresses(stored, registry())));
    if (await npmCi()) return;
  } finally {
    rmSync(lock, { force: true });
    process.off('SIGINT', noteInterrupt);
  }
  if (!interrupted) console.log('! once more, asking the registry where each package is');
  if (interrupted || !(await npmCi())) throw new Error('npm ci failed');
}

/** Did it go well? */
function npmCi() {
  const options = { cwd: root, stdio: 'inherit', shell: windows };
  const child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], options);
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (status) => resolve(status === 0)));
}

function registry() {
  return spawnSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8', shell: windows }).stdout.trim();
}

/**
 * The lock file names no registry, so npm would read the list of all versions of each package to learn where one is: half of
 * its processor time. Registries have them at the same place; what comes is checked by the lock file's hashes as ever.
 */
export function lockWithAddresses(lock, registry) {
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    if (!entry.integrity) return [path, entry];
    const name = entry.name ?? path.split('node_modules/').at(-1);
    const file = `${name.split('/').at(-1)}-${entry.version}.tgz`;
    return [path, { ...entry, resolved: `${registry.replace(/\/$/, '')}/${name}/-/${file}` }];
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** Is no source newer than the last build? */
export function isBuilt() {
  const sources = Math.max(
    newestUnder('src'),
    newestUnder('web'),
    changedAt('tsdown.config.ts'),
    changedAt('package.json'),
  );
  return changedAt('dist/cli.js') > sources && changedAt('dist/studio/index.html') > sources;
}

export function build() {
  if (isBuilt()) return;
  console.log('• building');
  sh('npm', ['run', '--silent', 'build']);
}

/** A program of the system that some tests need: installed by apt where that is allowed, else a line that says what to do. */
export function systemProgram(program, debianPackage) {
  const there = () => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  if (there()) return;
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`• installing ${debianPackage}`);
    const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 300_000 };
    spawnSync('apt-get', ['update', '-qq'], quiet);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', debianPackage], quiet);
    // Debian starts it as a service; the tests start their own.
    spawnSync('service', [debianPackage, 'stop'], quiet);
  }
  if (!there())
    console.log(`! no ${program}: its tests are skipped; install it (Debian: apt-get install ${debianPackage})`);
}
