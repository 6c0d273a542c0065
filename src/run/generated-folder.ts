import { readFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { readCsvObjects } from '../formats/csv-rows.ts';
import { machineCsv } from '../formats/csv-write.ts';
import { writeAtomic } from './atomic.ts';
import { listPictures } from './list-pictures.ts';

/** A picture of a folder that is not to be used, and why. */
export interface DroppedPicture {
  readonly id: string;
  readonly reason: string;
}

const droppedName = 'dropped.csv';

/** What `generate` and `quality --drop` left out of a folder. */
export async function readDropped(folder: string): Promise<DroppedPicture[]> {
  const path = join(folder, droppedName);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? [] : readCsvObjects(text, path).map(({ id = '', reason = '' }) => ({ id, reason }));
}

export const writeDropped = (folder: string, dropped: readonly DroppedPicture[]): Promise<void> =>
  writeAtomic(
    folder,
    droppedName,
    machineCsv(
      ['id', 'reason'],
      dropped.map(({ id, reason }) => [id, reason]),
    ),
  );

/** The background generated for a sample: named after its path, else after its file; never one that was dropped. */
export async function findGenerated(folder: string, id: string): Promise<FoundBackground> {
  const { dropped } = await read(folder);
  const reason = namesFor(id)
    .map((name) => dropped.get(name))
    .find((found) => found !== undefined);
  if (reason !== undefined) return { problem: `the background generated for it was left out: ${reason}` };
  const path = await pictureNamedAfter(folder, id);
  if (path !== undefined) return { path };
  return { problem: `no picture named ${stem(basename(id))}.* in the folder of generated backgrounds` };
}

/** The picture of a sample's name, whether it was dropped or not. */
export async function pictureNamedAfter(folder: string, id: string): Promise<string | undefined> {
  const { files } = await read(folder);
  return namesFor(id)
    .map((name) => files.get(name))
    .find((path) => path !== undefined);
}

const namesFor = (id: string) => [stem(id), stem(basename(id))];

type FoundBackground = { readonly path: string } | { readonly path?: undefined; readonly problem: string };

interface GeneratedFolder {
  readonly files: ReadonlyMap<string, string>;
  readonly dropped: ReadonlyMap<string, string>;
}

const folders = new Map<string, Promise<GeneratedFolder>>();
function read(folder: string): Promise<GeneratedFolder> {
  const known = folders.get(folder);
  if (known) return known;
  const reading = (async () => ({
    files: new Map(
      (await listPictures(folder)).map((path) => [stem(relative(folder, path).replaceAll('\\', '/')), path]),
    ),
    dropped: new Map((await readDropped(folder)).map(({ id, reason }) => [id, reason])),
  }))();
  folders.set(folder, reading);
  return reading;
}

const stem = (path: string) => path.slice(0, path.length - extname(path).length);
