import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
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

/** Packing takes longer than unpacking: one file of the test run does it, the others wait for it. */
async function packOnce(): Promise<string> {
  const place = join(tmpdir(), 'packed');
  const [tarball, failure] = [join(place, 'sceneshift.tgz'), join(place, 'failure.txt')];
  const isFirst = await mkdir(place).then(
    () => true,
    () => false,
  );
  if (isFirst) await pack(place, tarball).catch((error) => writeFile(failure, String(error)));
  while (!existsSync(tarball)) {
    if (existsSync(failure)) throw new Error(await readFile(failure, 'utf8'));
    await wait(100);
  }
  return tarball;
}

async function pack(place: string, tarball: string): Promise<void> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await exec(npm, ['pack', '--ignore-scripts', '--silent', '--pack-destination', place], {
    cwd: root,
    shell: process.platform === 'win32',
  });
  const [made] = (await readdir(place)).filter((name) => name.endsWith('.tgz'));
  await rename(join(place, made), tarball);
}

/**
 * The packed package in an empty folder. A real `npm install` would fetch hundreds of megabytes. Instead the tarball is
 * unpacked where npm would put it, and of the repository's packages those alone are linked beside it that package.json
 * lists as dependencies.
 */
export async function installPacked(): Promise<PackedPackage> {
  const home = await mkdtemp(join(tmpdir(), 'sceneshift-packed-'));
  await exec('tar', ['-xzf', await packOnce()], { cwd: home });
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
