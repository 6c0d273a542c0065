import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** All temporary folders of a test run lie in one, which goes when the run ends, however its tests ended. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
