import { describe, expect, it } from 'vitest';
import { machineTrouble } from './trouble.ts';

describe('whose fault it is', () => {
  it.each([
    [Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' }), "this worker's disk is full"],
    [new Error("ENOSPC: no space left on device, open '/x'"), "this worker's disk is full"],
    [new Error('IO Error: Could not write to file "/x": No space left on device'), "this worker's disk is full"],
    [new Error("EROFS: read-only file system, open '/x'"), "EROFS: read-only file system, open '/x'"],
    [new Error('this picture is poison'), undefined],
    [new Error("ENOENT: no such file or directory, rename '/x'"), undefined],
    ['nothing', undefined],
  ])('%s', (error, line) => {
    expect(machineTrouble(error)).toBe(line);
  });
});
