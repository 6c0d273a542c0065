import { execFileSync, spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile } from './replace-file.ts';

describe('replaceFile', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'replace-'));
    path = join(folder, 'report.html');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('replaces the whole file, also below a folder that is not there yet', async () => {
    await replaceFile(path, 'a long first text');
    await replaceFile(path, 'second', { durable: true });
    await replaceFile(join(folder, 'a/b/c.csv'), 'x');
    expect(await readFile(path, 'utf8')).toBe('second');
    expect((await readdir(folder)).sort()).toEqual(['a', 'report.html']);
  });

  it('never touches the old bytes: who has the old file open reads it to its end', async () => {
    await writeFile(path, 'old');
    const reader = await open(path);
    await replaceFile(path, 'new');
    expect(await reader.readFile('utf8')).toBe('old');
    await reader.close();
  });

  it('sweeps away what a killed process left of the same file, and nothing else', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const left = `report.html.${hostname()}-${pid}-0.partial`;
    const others = [
      `report.html.${hostname()}-${process.ppid}-0.partial`,
      `report.html.elsewhere-${pid}-0.partial`,
      `other.html.${hostname()}-${pid}-0.partial`,
      'report.html.partial',
    ];
    for (const name of [left, ...others]) await writeFile(join(folder, name), 'half');
    await replaceFile(path, 'whole');
    expect((await readdir(folder)).sort()).toEqual([...others, 'report.html'].sort());
  });

  it('leaves the old file and nothing beside it where it cannot write', async () => {
    await mkdir(path);
    await expect(replaceFile(path, 'x')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await readdir(folder)).toEqual(['report.html']);
  });

  it.skipIf(process.platform === 'win32')('writes to a pipe and through a link instead of replacing them', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = await open(pipe, constants.O_RDWR);
    await replaceFile(pipe, 'through');
    expect((await reader.read(Buffer.alloc(7), 0, 7)).buffer.toString()).toBe('through');
    await reader.close();
    await writeFile(path, 'old');
    await symlink(path, join(folder, 'latest.html'));
    await replaceFile(join(folder, 'latest.html'), 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect((await readdir(folder)).sort()).toEqual(['latest.html', 'pipe', 'report.html']);
  });
});
