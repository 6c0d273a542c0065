import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from './lock.ts';

describe('lockFolder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const hold = (owner: object) =>
    writeFile(join(folder, '.lock'), JSON.stringify({ token: 't', since: 'noon', ...owner }));
  const longAgo = new Date(Date.now() - 3_600_000);

  it('lets one in at a time, and the next when it is done', async () => {
    const first = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`written to by process ${process.pid} on ${hostname()}`);
    await first.check();
    await first.release();
    await (await lockFolder(folder)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes over from a process that is gone', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await hold({ pid, host: hostname() });
    const lock = await lockFolder(folder);
    await lock.check();
    await lock.release();
  });

  it('trusts another machine while it shows signs of life', async () => {
    await hold({ pid: 1, host: 'elsewhere' });
    await expect(lockFolder(folder)).rejects.toThrow('process 1 on elsewhere, since noon');
    await utimes(join(folder, '.lock'), longAgo, longAgo);
    await (await lockFolder(folder)).release();
  });

  it('takes over what a kill left half written', async () => {
    await writeFile(join(folder, '.lock'), '{"tok');
    await (await lockFolder(folder)).release();
  });

  it('notices that the folder is gone, or another has it', async () => {
    const lock = await lockFolder(folder);
    await hold({ pid: 7, host: 'elsewhere' });
    await expect(lock.check()).rejects.toThrow('taken over by process 7');
    await rm(folder, { recursive: true });
    await expect(lock.check()).rejects.toThrow('deleted or moved');
    await lock.release();
  });

  it('never takes away the lock of another', async () => {
    const lock = await lockFolder(folder);
    await hold({ pid: 7, host: 'elsewhere' });
    await lock.release();
    expect(await readFile(join(folder, '.lock'), 'utf8')).toContain('elsewhere');
  });
});
