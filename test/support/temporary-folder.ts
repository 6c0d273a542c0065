import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const gibibyte = 2 ** 30;
const memory = '/dev/shm';

/**
 * All temporary folders of a test run lie in one, which goes when the run ends, however its tests ended. In memory where there is plenty:
 * a disk takes twenty seconds of processor time for the files, ten of them to look for a number for each new one.
 */
export default function setup(): () => void {
  const folder = inMemory() ?? mkdtempSync(join(tmpdir(), 'sceneshift-tests-'));
  process.env.TMPDIR = folder;
  // Every Node that starts would read these certificates, which takes longer than all else it does. No test asks anyone outside.
  delete process.env.NODE_EXTRA_CA_CERTS;
  return () => rmSync(folder, { recursive: true, force: true });
}

function inMemory(): string | undefined {
  if (process.env.TMPDIR || !existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < 2 * gibibyte || freemem() < 4 * gibibyte) return;
  const folder = mkdtempSync(join(memory, 'sceneshift-tests-'));
  // The browser is unpacked there: containers often forbid to start anything from memory.
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  if (spawnSync(program).status === 0) return folder;
  rmSync(folder, { recursive: true, force: true });
}
