import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export * from './spawn-cli.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
