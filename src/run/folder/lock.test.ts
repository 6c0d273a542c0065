import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inOwnFolder, lockFolder } from './lock.ts';

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

  it('of many at once lets one in, whatever a kill left there', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    for (let round = 0; round < 20; round++) {
      await hold({ pid, host: hostname() });
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
      const held = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const own = await Promise.allSettled(held.map((lock) => lock.check()));
      expect(own.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const lock of held) await lock.release();
      expect(await readdir(folder)).toEqual([]);
    }
  });
});

describe('inOwnFolder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('sweeps what a kill left, before and after', async () => {
    await mkdir(join(folder, '.partial'));
    await writeFile(join(folder, '.lock-of-one-killed'), '');
    await inOwnFolder(folder, async () => {
      expect(await readdir(folder)).toEqual(['.lock']);
      await mkdir(join(folder, '.partial'));
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('has no success where the folder was deleted, and gives that as the reason for what failed in it', async () => {
    const gone = 'was deleted or moved while it was written to';
    await expect(inOwnFolder(folder, () => rm(folder, { recursive: true }))).rejects.toThrow(gone);
    const failing = async () => {
      await rm(folder, { recursive: true });
      await writeFile(join(folder, 'row'), '');
    };
    await expect(inOwnFolder(folder, failing)).rejects.toThrow(gone);
    await expect(inOwnFolder(folder, () => Promise.reject(new Error('another')))).rejects.toThrow('another');
  });

  it('tells what went wrong, not that its lock could not be taken away', async ({ skip }) => {
    const immutable = (on: boolean) => spawnSync('chattr', ['-R', on ? '+i' : '-i', folder]).status === 0;
    if (!immutable(true)) skip('chattr +i is not allowed here');
    immutable(false);
    try {
      const failing = async () => {
        immutable(true);
        await writeFile(join(folder, 'row'), '');
      };
      await expect(inOwnFolder(folder, failing)).rejects.toMatchObject({ code: 'EPERM', syscall: 'open' });
    } finally {
      immutable(false);
    }
  });
});
