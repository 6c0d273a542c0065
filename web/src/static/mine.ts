import { chooseMined } from '../../../src/contracts/studio/choose-mined.ts';
import { type MinedPictures, type MinedPool, type MinePage, minedQueryOf } from '../../../src/contracts/studio/mine.ts';
import { readData } from './read-data.ts';

/** What an exported site knows of the pictures that several models fail. */
export const staticMine = (run: string): Promise<MinePage> => readData([run, 'mine.json']);

export async function staticMinedPictures(run: string, query: URLSearchParams): Promise<MinedPictures> {
  const { mining, released } = await staticMine(run);
  if (!mining) throw new Error('The run has not been mined');
  return chooseMined(await readData<MinedPool>([run, 'pool.json']), minedQueryOf(query), { mining, released });
}
