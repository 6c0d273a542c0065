import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunColumns } from '../../contracts/explore/columns.ts';
import { describeMap } from '../map/describe-map.ts';
import { networksOf } from '../map/networks.ts';
import { mapName, readMap } from '../map/stored-map.ts';
import type { OpenRun } from '../open-runs.ts';

/** The maps of a run that were made in the studio: their networks in `maps.json`, each map in a file by its place there. */
export async function exportMaps(run: OpenRun, columns: RunColumns, folder: string): Promise<void> {
  const made: string[] = [];
  for (const { name, spec } of networksOf(await run.record())) {
    const built = await readMap(await mapName(columns, spec), columns);
    if (!built) continue;
    await writeFile(join(folder, `map-${made.length}.json`), JSON.stringify(describeMap(columns, name, built)));
    made.push(name);
  }
  await writeFile(join(folder, 'maps.json'), JSON.stringify(made));
}
