import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { showAs } from './shown.ts';
import { type StagedFolder, stageFolder } from './staged-folder.ts';

export interface OwnCopy extends StagedFolder {
  close(): Promise<void>;
}

/** A copy of a folder on the storage for this process alone; empty, or with what is there fetched (`pull`). */
export async function openOwnCopy(url: string): Promise<OwnCopy> {
  const home = await mkdtemp(join(tmpdir(), 'sceneshift-copy-'));
  const folder = await stageFolder(url, { path: join(home, 'copy') });
  showAs(folder.path, folder.url);
  return { ...folder, close: () => rm(home, { recursive: true, force: true }) };
}
