import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cli.ts';

const { lockWithAddresses } = await import(new URL('../../scripts/setup.mjs', import.meta.url).href);
const integrity = 'sha512-abc';

describe('the lock file that npm installs by', () => {
  const lock = {
    name: 'sceneshift',
    lockfileVersion: 3,
    packages: {
      '': { name: 'sceneshift', version: '1.0.0' },
      web: { name: 'web', version: '0.0.0' },
      'node_modules/web': { resolved: 'web', link: true },
      'node_modules/zod': { version: '4.6.7', integrity, dev: true },
      'node_modules/@types/node': { version: '20.19.43', integrity },
      'node_modules/a/node_modules/@b/c': { version: '1.0.0-rc.1+build', integrity },
      'node_modules/typescript-7': { name: 'typescript', version: '7.0.2', integrity },
      'node_modules/alias': { name: '@scope/other', version: '2.0.0', integrity },
    },
  };

  it.each(['https://registry.example', 'https://registry.example/', 'http://localhost:4873/npm/'])(
    'says where each package is at %s, and nothing else',
    (registry) => {
      const at = (path: string) => `${registry.replace(/\/$/, '')}/${path}`;
      const before = structuredClone(lock);
      const told = lockWithAddresses(lock, registry);
      expect(lock).toEqual(before);
      expect(told).toEqual({
        ...lock,
        packages: {
          ...lock.packages,
          'node_modules/zod': { version: '4.6.7', integrity, dev: true, resolved: at('zod/-/zod-4.6.7.tgz') },
          'node_modules/@types/node': {
            version: '20.19.43',
            integrity,
            resolved: at('@types/node/-/node-20.19.43.tgz'),
          },
          'node_modules/a/node_modules/@b/c': {
            version: '1.0.0-rc.1+build',
            integrity,
            resolved: at('@b/c/-/c-1.0.0-rc.1+build.tgz'),
          },
          'node_modules/typescript-7': {
            name: 'typescript',
            version: '7.0.2',
            integrity,
            resolved: at('typescript/-/typescript-7.0.2.tgz'),
          },
          'node_modules/alias': {
            name: '@scope/other',
            version: '2.0.0',
            integrity,
            resolved: at('@scope/other/-/other-2.0.0.tgz'),
          },
        },
      });
    },
  );

  it('has every package of ours', () => {
    const ours = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
    const told = lockWithAddresses(ours, 'https://registry.example');
    // Workspaces and their links alone are not fetched.
    const without = Object.entries<{ resolved?: string }>(told.packages).filter(
      ([, { resolved }]) => !resolved?.startsWith('https://registry.example/'),
    );
    expect(without.map(([path]) => path).sort()).toEqual(['', 'node_modules/@sceneshift/studio', 'web']);
  });

  it.skipIf(process.platform === 'win32')('is there for the first try alone, and gone when npm fails', () => {
    const { clone, install } = cloneWithFailingNpm();
    const { status, stdout, stderr } = install();
    expect(stdout.trim().split('\n')).toEqual([
      '• installing packages',
      'npm-shrinkwrap: 1',
      '! once more, asking the registry where each package is',
      expect.stringMatching(/^npm-shrinkwrap: .*No such file/),
    ]);
    expect(stderr).toContain('npm ci failed');
    expect(status).toBe(1);
    expect(existsSync(join(clone, 'npm-shrinkwrap.json'))).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('that a kill left behind is removed where all is installed', () => {
    const { clone, install } = cloneWithFailingNpm();
    writeFileSync(join(clone, 'npm-shrinkwrap.json'), 'half of one');
    mkdirSync(join(clone, 'node_modules'));
    writeFileSync(join(clone, 'node_modules', '.package-lock.json'), '{}');
    expect(install()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(existsSync(join(clone, 'npm-shrinkwrap.json'))).toBe(false);
  });

  /** Its npm tells whether it sees the file, and fails. */
  function cloneWithFailingNpm() {
    const clone = temporaryFolder();
    const setup = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url));
    mkdirSync(join(clone, 'bin'));
    cpSync(setup, join(clone, 'scripts', 'setup.mjs'));
    writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(lock));
    const npm = `#!/bin/sh
if [ "$1" = config ]; then echo https://registry.example/; exit; fi
grep -c registry.example/zod npm-shrinkwrap.json 2>&1 | sed 's/^/npm-shrinkwrap: /'
exit 1
`;
    writeFileSync(join(clone, 'bin', 'npm'), npm, { mode: 0o755 });
    const call = "import('./scripts/setup.mjs').then(({ install }) => install())";
    const env = { ...process.env, PATH: `${join(clone, 'bin')}${delimiter}${process.env.PATH}` };
    return { clone, install: () => spawnSync(process.execPath, ['-e', call], { cwd: clone, encoding: 'utf8', env }) };
  }
});
