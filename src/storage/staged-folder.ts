import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { hashName, storageCache } from './cache-folder.ts';
import { downloadObject, listObjects, putObject, putOnce, removeObjects, type StoredObject } from './objects.ts';
import { storageError } from './patience.ts';
import { below, isSafeKey, parseS3, type S3Place, s3Url } from './s3-url.ts';

/** A folder on the storage with a copy on this disk, which is worked in. */
export interface StagedFolder {
  readonly url: string;
  readonly place: S3Place;
  /** The copy. */
  readonly path: string;
  /** Downloads what others have added or changed on the storage, and removes here what they have removed. */
  pull(): Promise<void>;
  /** Uploads shards that the storage lacks; each is put once. */
  pushShards(): Promise<number>;
  /** Uploads all that is new or changed here, and removes on the storage what was removed here. */
  push(): Promise<number>;
  /** Uploads what was made here and not fetched, then deletes it here: for those who keep no results. */
  moveNew(): Promise<void>;
  /** Whether `push` would do anything. */
  hasChanges(): Promise<boolean>;
}

/** The state in which a file was last the same here and on the storage. */
interface Known {
  readonly etag: string;
  readonly size: number;
  /** Of the file here, when it was last brought over. */
  readonly modifiedMs: number;
}

const stateFile = '.storage.json';
/** A shard is named by what is in it: it is never changed, only made and removed. */
const isShard = (name: string) => /^[a-z-]+\/[0-9a-f]{32}\.parquet$/.test(name);
/** Lists of what was rendered, which say what need not be rendered again. */
const isList = (name: string) => /^\.rendered[\w-]*\.jsonl$/.test(name);
/** A network cut for the threads of one process. */
const isCut = (name: string) => /^features\/backbone-[0-9a-f]+\.onnx$/.test(name);
const isOwn = (name: string) =>
  isList(name) || (!isCut(name) && !name.split('/').some((part) => part.startsWith('.') || part.endsWith('.partial')));

/** `path`: where the copy is kept, where not in the cache. */
export async function stageFolder(url: string, { path }: { path?: string } = {}): Promise<StagedFolder> {
  const place = parseS3(url, '--out');
  const folder = path ?? join(storageCache(), 'runs', hashName(s3Url(place)), basename(place.key) || place.bucket);
  await mkdir(folder, { recursive: true });
  const known = await readState(folder);
  const at = (name: string) => join(folder, ...name.split('/'));
  const remote = (name: string) => below(place, name);
  const prefix = place.key ? place.key.length + 1 : 0;
  const saveState = () => writeState(folder, known);

  const pushFile = async (name: string) => {
    const before = await stat(at(name)).catch(() => undefined);
    const bytes = before && (await readFile(at(name)).catch(() => undefined));
    // Joined with another meanwhile.
    if (!bytes) return;
    let etag = '';
    if (isShard(name)) await putOnce(remote(name), bytes);
    else etag = await putObject(remote(name), bytes);
    known.set(name, { etag, size: bytes.length, modifiedMs: before.mtimeMs });
  };
  const pushAll = async (names: readonly string[]) => {
    const waiting = names.values();
    const drain = async () => {
      for (const name of waiting) await pushFile(name);
    };
    try {
      await Promise.all(Array.from({ length: Math.min(8, names.length) }, drain));
    } finally {
      if (names.length) await saveState();
    }
    return names.length;
  };
  const newShards = async () =>
    (await filesBelow(folder)).map(({ name }) => name).filter((name) => isShard(name) && !known.has(name));
  const changes = async () => {
    const files = await filesBelow(folder);
    const here = new Set(files.map(({ name }) => name));
    const changed = files
      .filter(({ name, size, modifiedMs }) => {
        const before = known.get(name);
        return !before || (!isShard(name) && (before.size !== size || before.modifiedMs !== modifiedMs));
      })
      .map(({ name }) => name);
    return { changed, gone: [...known.keys()].filter((name) => !here.has(name)) };
  };
  /**
   * Throws where an object to be overwritten has changed on the storage since it was fetched: one of the two versions
   * would be lost.
   */
  const checkUnchanged = async (names: readonly string[]) => {
    if (!names.length) return;
    const there = new Map((await listObjects(place)).map((object) => [object.key.slice(prefix), object]));
    const other = names.find((name) => {
      const [now, before] = [there.get(name), known.get(name)];
      return now && before && now.etag !== before.etag;
    });
    if (other)
      throw new UserError(
        `${url}/${other} was changed by another process meanwhile; the same command, once more, goes on from what is there`,
        { exitCode: 1 },
      );
  };

  return {
    ...{ url: s3Url(place), place, path: folder },

    async pull() {
      const objects = (await listObjects(place)).map((object) => ({ ...object, name: object.key.slice(prefix) }));
      const there = new Map(objects.filter(({ name }) => isOwn(name) && isSafeKey(name)).map((one) => [one.name, one]));
      for (const name of known.keys())
        if (!there.has(name)) {
          await rm(at(name), { force: true });
          known.delete(name);
        }
      const wanted = [...there.values()].filter(({ name, etag }) => {
        const before = known.get(name);
        return isShard(name) ? !before : before?.etag !== etag;
      });
      const waiting = wanted.values();
      const drain = async () => {
        for (const object of waiting) {
          const present = isShard(object.name) && (await stat(at(object.name)).catch(() => undefined));
          if (!present) await fetchInto(folder, { ...place, key: object.key }, object);
          const { mtimeMs } = await stat(at(object.name));
          known.set(object.name, { etag: object.etag, size: object.size, modifiedMs: mtimeMs });
        }
      };
      try {
        await Promise.all(Array.from({ length: 8 }, drain));
      } finally {
        await saveState();
      }
    },

    pushShards: async () => pushAll(await newShards()),

    async push() {
      const { changed, gone } = await changes();
      const others = changed.filter((name) => !isShard(name));
      await checkUnchanged(others);
      await pushAll(changed.filter(isShard));
      // What says that the run is whole comes last.
      await pushAll(others.filter((name) => name !== 'run.json'));
      await pushAll(others.filter((name) => name === 'run.json'));
      await removeObjects(gone.map(remote));
      for (const name of gone) known.delete(name);
      if (gone.length) await saveState();
      return changed.length + gone.length;
    },

    async moveNew() {
      const made = (await filesBelow(folder)).map(({ name }) => name).filter((name) => !known.has(name));
      await pushAll(made);
      for (const name of made) {
        known.delete(name);
        await rm(at(name), { force: true });
      }
    },

    async hasChanges() {
      const { changed, gone } = await changes();
      return changed.length + gone.length > 0;
    },
  };
}

async function fetchInto(folder: string, place: S3Place, object: StoredObject & { name: string }): Promise<void> {
  const to = join(folder, ...object.name.split('/'));
  const partial = join(dirname(to), `.${basename(to)}.${process.pid}.partial`);
  await mkdir(dirname(to), { recursive: true });
  try {
    await downloadObject(place, partial, object);
    await rename(partial, to);
  } catch (error) {
    throw storageError(s3Url(place), error);
  } finally {
    await rm(partial, { force: true });
  }
}

interface LocalFile {
  /** Relative, `/`-separated. */
  readonly name: string;
  readonly size: number;
  readonly modifiedMs: number;
}

async function filesBelow(folder: string): Promise<LocalFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: LocalFile[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = path
      .slice(folder.length + 1)
      .split(sep)
      .join('/');
    if (!entry.isFile() || !isOwn(name)) continue;
    const found = await stat(path).catch(() => undefined);
    if (found) files.push({ name, size: found.size, modifiedMs: found.mtimeMs });
  }
  return files;
}

async function readState(folder: string): Promise<Map<string, Known>> {
  const text = await readFile(join(folder, stateFile), 'utf8').catch(() => '{}');
  try {
    return new Map(Object.entries(JSON.parse(text) as Record<string, Known>));
  } catch {
    // Without it everything is compared again.
    return new Map();
  }
}

async function writeState(folder: string, known: ReadonlyMap<string, Known>): Promise<void> {
  const partial = join(folder, `${stateFile}.${process.pid}.partial`);
  await writeFile(partial, JSON.stringify(Object.fromEntries(known)));
  await rename(partial, join(folder, stateFile));
}
