import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { hashName, keepText, storageCache } from './cache-folder.ts';
import { findObject, listObjects, type StoredObject } from './objects.ts';
import { isSafeKey, parseS3, type S3Place } from './s3-url.ts';

/** A small file in the place of a picture that is fetched when it is read; its text names the object. */
export interface StandIn extends S3Place {
  readonly etag: string;
  readonly size: number;
  /** Of the content, once it was read. */
  readonly sha256?: string;
}

/** Folders of stand-ins, one for each bucket; what lies below is fetched when it is opened (`openRegularFile`). */
const mirrorRoot = () => join(storageCache(), 'mirror') + sep;

export const isStandIn = (path: string): boolean => path.includes(`${sep}s3${sep}`) && path.startsWith(mirrorRoot());

export async function readStandIn(path: string): Promise<StandIn> {
  return JSON.parse(await readFile(path, 'utf8')) as StandIn;
}

export const writeStandIn = (path: string, standIn: StandIn): Promise<void> => keepText(path, JSON.stringify(standIn));

/** The name of the content in the cache. */
export const contentId = ({ bucket, key, etag, size }: StandIn): string =>
  hashName(JSON.stringify([bucket, key, etag, size]));

/**
 * A folder here that looks like a prefix on the storage: every object has a stand-in under its name, so that whatever lists and
 * looks at files works as on a disk. Of a single object (a manifest), the folder it lies in. Listed anew at every call.
 */
export async function mirror(url: string, name: string): Promise<string> {
  const place = parseS3(url, name);
  const single = await findObject(place);
  const folder = single ? { ...place, key: place.key.split('/').slice(0, -1).join('/') } : place;
  const objects = (await listObjects(folder)).filter(({ key }) => !key.endsWith('/') && isSafeKey(key));
  if (!objects.length)
    throw new UserError(`Expected pictures or a manifest for ${name}, but there is nothing at ${url}`);
  await standInFor(folder, objects);
  return localPath(single ? place : folder);
}

/** Where `mirror` puts what an address names. */
export const mirroredAt = (url: string): string => localPath(parseS3(url));

const localPath = ({ bucket, key }: S3Place) => join(storageCache(), 'mirror', bucket, ...key.split('/'));

async function standInFor(folder: S3Place, objects: readonly StoredObject[]): Promise<void> {
  const { bucket } = folder;
  // A name that is an object and a folder at once can be one of them on a disk: the folder.
  const folders = new Set(objects.flatMap(({ key }) => parents(key)));
  const wanted = new Map(objects.filter(({ key }) => !folders.has(key)).map((object) => [object.key, object]));
  const present = await filesBelow(localPath(folder));
  const prefix = folder.key ? `${folder.key}/` : '';
  for (const path of present) if (!wanted.has(prefix + path)) await rm(join(localPath(folder), path), { force: true });
  for (const name of new Set([...wanted.keys()].map((key) => dirname(localPath({ bucket, key })))))
    await mkdir(name, { recursive: true });
  const waiting = wanted.values();
  const known = new Set(present);
  const drain = async () => {
    for (const { key, etag, size } of waiting) {
      const path = localPath({ bucket, key });
      const before = known.has(key.slice(prefix.length)) ? await readStandIn(path).catch(() => undefined) : undefined;
      if (before?.etag !== etag || before.size !== size) await writeStandIn(path, { bucket, key, etag, size });
    }
  };
  await Promise.all(Array.from({ length: 16 }, drain));
}

function parents(key: string): string[] {
  const parts = key.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}

/** Relative, `/`-separated. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    );
}
