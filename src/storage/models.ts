import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { hashName, keep, makeRoom, modelFolder, touch } from './cache-folder.ts';
import { downloadObject, findObject, listObjects, type StoredObject } from './objects.ts';
import { storageError } from './patience.ts';
import { isS3, isSafeKey, parseS3, type S3Place, s3Url } from './s3-url.ts';

/** Files beside a network that may describe it, and files that may hold its weights. */
const speaks = /\.(json|txt|csv|names)$/i;
const weighs = /[._-](data|weights|bin)$/i;

/**
 * Fetches a model from the storage: an ONNX file with its record, labels and weights beside it, or a whole folder.
 * Fetched once; where the files have changed they go into another folder.
 */
export async function fetchStoredModel(url: string): Promise<string> {
  const place = parseS3(url, '--model');
  const single = await findObject(place);
  const folder = single ? { ...place, key: place.key.split('/').slice(0, -1).join('/') } : place;
  const wanted = single ? await besideFile(place, single, folder) : await listObjects(folder);
  const files = wanted.filter(({ key }) => !key.endsWith('/') && isSafeKey(key));
  if (!files.length) throw new UserError(`There is no model at ${url}`);
  const prefix = folder.key ? folder.key.length + 1 : 0;
  const home = modelFolder(hashName(JSON.stringify([folder, files.map(({ key, etag, size }) => [key, etag, size])])));
  const path = join(home, place.key.split('/').at(-1) || place.bucket);
  if (!(await stat(home).catch(() => undefined)))
    await keep(home, async (partial) => {
      for (const file of files) {
        const relative = file.key.slice(prefix);
        const to = single
          ? join(partial, relative)
          : join(partial, place.key.split('/').at(-1) || place.bucket, relative);
        await mkdir(dirname(to), { recursive: true });
        await download({ bucket: place.bucket, key: file.key }, to, file);
      }
    }).catch(async (error: unknown) => {
      // Another process was faster: a folder that is there is whole.
      if (!(await stat(home).catch(() => undefined))) throw error;
    });
  await touch(home);
  await makeRoom(files.reduce((sum, { size }) => sum + size, 0));
  return path;
}

/** A path on this disk for a model's file or folder that the user named. */
export const localModel = async (place: string): Promise<string> => (isS3(place) ? fetchStoredModel(place) : place);

/** The network, the files named after it, and small ones that may describe it. */
async function besideFile(place: S3Place, single: StoredObject, folder: S3Place): Promise<StoredObject[]> {
  const stem = place.key.replace(/\.[^./]*$/, '');
  const beside = await listObjects(folder, { recursive: false });
  return beside.filter(
    ({ key, size }) =>
      key === single.key ||
      (key.startsWith(`${stem}.`) && !/\.onnx$/i.test(key)) ||
      (speaks.test(key) && size < 4_000_000) ||
      weighs.test(key),
  );
}

const download = (place: S3Place, to: string, object: StoredObject) =>
  downloadObject(place, to, object).catch((error: unknown) => {
    throw storageError(s3Url(place), error);
  });
