import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SampleError } from '../contracts/errors.ts';
import type { CrashLessons } from './in-hand.ts';

let folder: string;
let fd: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'in-hand-'));
  fd = openSync(join(folder, 'journal'), 'wx+');
});
afterEach(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

/** As in a process that a parent watches. */
async function watched(lessons: CrashLessons) {
  const parent = await import('./in-hand.ts');
  parent.writeLessons(fd, lessons);
  vi.stubEnv(parent.journalVariable, String(fd));
  vi.resetModules();
  const child = await import('./in-hand.ts');
  return { child, inHand: () => parent.readInHand(fd) };
}

it('what is begun and not ended is read by whoever comes after', async () => {
  const { child, inHand } = await watched({ suspects: ['é'], culprits: {} });
  expect(child.crashLessons()).toEqual({ suspects: ['é'], culprits: {} });
  expect(process.env[child.journalVariable]).toBeUndefined();
  expect(inHand()).toEqual([]);
  const ends = [1, 2, 3].map((i) => child.takeInHand('sample', () => [`cat/${i}.jpg`, 'line\nbreak']));
  ends[1]();
  const model = child.takeInHand('model', () => ['net.onnx']);
  expect(inHand()).toEqual([
    { kind: 'sample', names: ['cat/1.jpg', 'line\nbreak'] },
    { kind: 'model', names: ['net.onnx'] },
    { kind: 'sample', names: ['cat/3.jpg', 'line\nbreak'] },
  ]);
  for (const end of [ends[0], ends[2], model]) end();
  expect(inHand()).toEqual([]);
});

it('a file that crashed alone is refused, another is noted while it is worked on', async () => {
  const { child, inHand } = await watched({ suspects: [], culprits: { 'bad.jpg': 'SIGSEGV' } });
  await expect(child.withFileInHand('bad.jpg', async () => 1)).rejects.toMatchObject({
    name: 'SampleError',
    problem: 'crashed',
    file: 'bad.jpg',
  });
  const seen = await child.withFileInHand('good.jpg', async () => inHand());
  expect(seen).toEqual([{ kind: 'file', names: ['good.jpg'] }]);
  await expect(
    child.withFileInHand('good.jpg', () => Promise.reject(new SampleError('truncated', 'no'))),
  ).rejects.toThrow('no');
  expect(inHand()).toEqual([]);
});

it('without a parent nothing is written', async () => {
  vi.resetModules();
  const { takeInHand, crashLessons } = await import('./in-hand.ts');
  takeInHand('sample', () => {
    throw new Error('never asked');
  })();
  expect(crashLessons()).toEqual({ suspects: [], culprits: {} });
});
