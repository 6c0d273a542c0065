import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const exec = promisify(execFile);

export interface PackedPackage {
  /** A folder that holds nothing but `node_modules`. */
  readonly home: string;
  /** What `npx sceneshift` starts there. */
  readonly bin: string;
  /** What the tarball holds, relative to the package. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

/**
 * The packed package in an empty folder. A real `npm install` would fetch hundreds of megabytes. Instead the tarball is
 * unpacked where npm would put it, and of the repository's packages those alone are linked beside it that package.json
 * lists as dependencies.
 */
export async function installPacked(): Promise<PackedPackage> {
  const home = await mkdtemp(join(tmpdir(), 'sceneshift-packed-'));
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await exec(npm, ['pack', '--ignore-scripts', '--silent', '--pack-destination', home], {
    cwd: root,
    shell: process.platform === 'win32',
  });
  const [tarball] = (await readdir(home)).filter((name) => name.endsWith('.tgz'));
  await exec('tar', ['-xzf', tarball], { cwd: home });
  await rm(join(home, tarball));
  const installed = join(home, 'node_modules/sceneshift');
  await mkdir(dirname(installed));
  await rename(join(home, 'package'), installed);
  const { bin, dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const link = join(home, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link, 'junction');
  }
  const found = await readdir(installed, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(installed.length + 1)
        .replaceAll('\\', '/'),
    );
  return {
    home,
    bin: join(installed, bin.sceneshift),
    files,
    remove: () => rm(home, { recursive: true, force: true }),
  };
}
