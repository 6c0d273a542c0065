import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSceneshift, temporaryFolder } from '../support/cli.ts';

/** In the command's own process: what it was started with, and what programs that it starts would have. */
const note = (path: string) => `
if (process.env.SCENESHIFT_JOURNAL) {
  const begun = process.env.MALLOC_ARENA_MAX;
  const write = () => require('node:fs').writeFileSync(${JSON.stringify(path)}, JSON.stringify([begun, process.env.MALLOC_ARENA_MAX ?? null]));
  process.on('exit', write);
}`;

it.each([
  [
    'on few threads has one region of memory for all of them, but not the programs that it starts',
    { MALLOC_ARENA_MAX: undefined },
    ['0x1', null],
  ],
  ['has as many regions of memory as the user set', { MALLOC_ARENA_MAX: '3' }, ['3', '3']],
])('a command %s', async (_, env, expected) => {
  const folder = temporaryFolder();
  const [preload, noted] = [join(folder, 'note.cjs'), join(folder, 'noted.json')];
  await writeFile(preload, note(noted));
  const { status } = await startSceneshift(
    ['render', '--data', join(folder, 'none.csv'), '--out', join(folder, 'out'), '--threads', '2'],
    {
      env: { NODE_OPTIONS: `--require "${preload}"`, ...env },
    },
  );
  expect(status).toBe(2);
  expect(JSON.parse(await readFile(noted, 'utf8'))).toEqual(expected);
});
