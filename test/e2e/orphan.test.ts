import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSceneshift, temporaryFolder } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';

/** In the command's own process, before any of its code: kills the process that watches it, and waits until that is gone. */
const killParent = `
if (process.env.SCENESHIFT_JOURNAL) {
  const parent = process.ppid;
  process.kill(parent, 'SIGKILL');
  while (process.ppid === parent) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}`;

it.skipIf(process.platform === 'win32')(
  'a command whose watching process is killed while it starts does nothing',
  async () => {
    const folder = temporaryFolder();
    const { manifest } = await makeDataset(join(folder, 'data'), { perClass: 1, width: 32, height: 32 });
    const preload = join(folder, 'kill-parent.cjs');
    await writeFile(preload, killParent);
    const out = join(folder, 'rendered');
    const { status } = await startSceneshift(['render', '--data', manifest, '--scenarios', 'grey', '--out', out], {
      env: { NODE_OPTIONS: `--require "${preload}"` },
    });
    expect(status).toBeNull();
    expect(existsSync(out)).toBe(false);
  },
);
