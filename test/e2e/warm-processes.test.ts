import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sceneshift, temporaryFolder } from '../support/cli.ts';

/** The calls of most other tests go through these processes. */
it('a call that ends its process, or leaves something behind, fails and says so; the next finds another process', async () => {
  const machine = 'warm-processes';
  await expect(sceneshift(['--version'], { machine, cwd: join(temporaryFolder(), 'nowhere') })).rejects.toThrow(
    /^sceneshift --version: .*ENOENT.*chdir/,
  );
  const folder = temporaryFolder();
  const plugin = async (name: string, code: string) => {
    await writeFile(join(folder, `${name}.mjs`), code);
    return ['scenarios', '--plugin', join(folder, `${name}.mjs`)];
  };
  const ends = await plugin('ends', `process.exit(3);`);
  await expect(sceneshift(ends, { machine })).rejects.toThrow(/ended in the middle of the call \(status 3\)/);
  const fails = await plugin('fails', `import { defineScenario } from 'sceneshift'; setTimeout(() => missing());`);
  await expect(sceneshift(fails, { machine })).rejects.toThrow('missing is not defined');
  expect(await sceneshift(['rnder'], { machine })).toMatchObject({ status: 2, stdout: '' });
  expect(await sceneshift(['--version'], { machine })).toMatchObject({ status: 0, stderr: '' });
});
