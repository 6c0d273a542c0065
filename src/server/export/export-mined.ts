import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minedIn, readMinedPool } from '../mine.ts';

/** What `mine` left in a run, where it was there: `mine.json` for the page, `pool.json` for the pictures behind its numbers. */
export async function exportMined(run: string, folder: string): Promise<void> {
  const { mining, released } = await minedIn(run);
  // Where the released set lies on this machine is nobody else's business.
  const page = { mining, released: released && { ...released, folder: '' } };
  await writeFile(join(folder, 'mine.json'), JSON.stringify(page));
  if (mining) await writeFile(join(folder, 'pool.json'), JSON.stringify(await readMinedPool(run)));
}
