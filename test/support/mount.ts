import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const quiet = { stdio: 'ignore' } as const;

/** Mounts at a folder; what is returned takes it away again. */
export function mountBelow(folder: string, args: readonly string[]): () => void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', [...args, folder], quiet);
  return () => execFileSync('umount', [folder], quiet);
}

/** Root may, inside most containers nobody may. */
export const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-allowed-'));
  try {
    mountBelow(folder, ['-t', 'tmpfs', '-o', 'size=4096', 'sceneshift-test'])();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
})();
