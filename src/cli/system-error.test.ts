import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemErrorText } from './system-error.ts';

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('what the operating system says', () => {
  it.each([
    ['ENOSPC', 'The disk is full, writing /out/a.png; make room and run the same command again: it goes on from there'],
    ['EDQUOT', 'The disk is full, writing /out/a.png; make room and run the same command again: it goes on from there'],
    ['EACCES', 'No permission for /out/a.png; change its rights, or choose another place'],
    ['EPERM', 'No permission for /out/a.png; change its rights, or choose another place'],
    ['EROFS', '/out/a.png is on a file system that cannot be written to; choose another place'],
    ['EMFILE', 'Too many files are open at once; raise the limit (ulimit -n 4096) or use fewer --threads'],
    ['ENOTDIR', 'Expected a folder at /out/a.png, but a file is there'],
    ['EISDIR', 'Expected a file at /out/a.png, but a folder is there'],
  ])('%s becomes a line that says what to do, also from a worker thread', (code, text) => {
    const error = Object.assign(new Error(`${code}: so it is, open '/out/a.png'`), { code, path: '/out/a.png' });
    expect(systemErrorText(error)).toBe(text);
    // Of a worker's error only the message arrives.
    expect(systemErrorText(new Error(error.message))).toBe(text);
    expect(systemErrorText(new Error(`${code}: so it is, rename '/out/.partial/1' -> '/out/a.png'`))).toBe(text);
  });

  it('also without a path, and as a library words it', () => {
    expect(systemErrorText(new Error('ENOSPC: no space left on device, write'))).toMatch(
      /^The disk is full; make room/,
    );
    expect(systemErrorText(new Error('Could not write file "a": No space left on device'))).toMatch(
      /^The disk is full/,
    );
  });

  it('as Node really throws it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'system-error-'));
    await writeFile(join(folder, 'file'), '');
    await mkdir(join(folder, 'folder'));
    expect(systemErrorText(await caught(writeFile(join(folder, 'folder'), '')))).toMatch(
      /^Expected a file at .*folder, /,
    );
    expect(systemErrorText(await caught(readdir(join(folder, 'file'))))).toMatch(/^Expected a folder at .*file, /);
    const full = await open('/dev/full', 'w').catch(() => undefined);
    if (full) expect(systemErrorText(await caught(full.writeFile('x')))).toMatch(/^The disk is full/);
    await full?.close();
    await rm(folder, { recursive: true });
  });

  it.each([[new Error('something else')], [new Error('EARLY: not a code of ours')], ['a text'], [undefined], [null]])(
    'and leaves alone what is none: %s',
    (error) => expect(systemErrorText(error)).toBeUndefined(),
  );
});
