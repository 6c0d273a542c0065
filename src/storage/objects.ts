import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openStorage } from './client.ts';
import { isMissing, nameOf, patiently, statusOf, storageError } from './patience.ts';
import { parseS3, type S3Place, s3Url } from './s3-url.ts';

export interface StoredObject {
  readonly key: string;
  /** Changes when the content does. */
  readonly etag: string;
  readonly size: number;
  readonly modified?: Date;
}

/** Every object below a prefix, or directly below it alone. */
export async function listObjects(
  { bucket, key }: S3Place,
  { recursive = true }: { recursive?: boolean } = {},
): Promise<StoredObject[]> {
  const what = s3Url({ bucket, key });
  const found: StoredObject[] = [];
  let token: string | undefined;
  do {
    const page = await patiently(what, async () => {
      const { client, sdk } = await openStorage();
      return client.send(
        new sdk.ListObjectsV2Command({
          Bucket: bucket,
          Prefix: key ? `${key}/` : undefined,
          ContinuationToken: token,
          Delimiter: recursive ? undefined : '/',
        }),
      );
    }).catch((error: unknown) => {
      throw storageError(what, error);
    });
    for (const { Key, ETag = '', Size = 0, LastModified } of page.Contents ?? [])
      if (Key) found.push({ key: Key, etag: plain(ETag), size: Size, modified: LastModified });
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (token);
  return found;
}

/** Undefined: there is no such object. */
export async function findObject(place: S3Place): Promise<StoredObject | undefined> {
  if (!place.key) return undefined;
  try {
    return await patiently(s3Url(place), async () => {
      const { client, sdk } = await openStorage();
      const found = await client.send(new sdk.HeadObjectCommand({ Bucket: place.bucket, Key: place.key }));
      return {
        key: place.key,
        etag: plain(found.ETag),
        size: found.ContentLength ?? 0,
        modified: found.LastModified,
      };
    });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageError(s3Url(place), error);
  }
}

/** Whether there is an object, or anything below a prefix. */
export async function existsThere(url: string): Promise<boolean> {
  const place = parseS3(url);
  return (await findObject(place)) !== undefined || (await listObjects(place)).length > 0;
}

/** A small object's bytes; undefined where there is none. */
export async function readObject(
  place: S3Place,
): Promise<{ bytes: Buffer; etag: string; modified?: Date } | undefined> {
  try {
    return await patiently(s3Url(place), async () => {
      const { client, sdk } = await openStorage();
      const answer = await client.send(new sdk.GetObjectCommand({ Bucket: place.bucket, Key: place.key }));
      const bytes = Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
      return { bytes, etag: plain(answer.ETag), modified: answer.LastModified };
    });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageError(s3Url(place), error);
  }
}

/** Streams an object into a file. Throws what the server said where it is not there, or no longer the one meant. */
export async function downloadObject(
  place: S3Place,
  file: string,
  { etag, size }: Pick<StoredObject, 'etag' | 'size'>,
) {
  await patiently(s3Url(place), async () => {
    const { client, sdk } = await openStorage();
    const answer = await client.send(
      new sdk.GetObjectCommand({ Bucket: place.bucket, Key: place.key, IfMatch: etag ? `"${etag}"` : undefined }),
    );
    await pipeline(answer.Body as Readable, createWriteStream(file));
    const { size: got } = await stat(file);
    if (got !== size) throw Object.assign(new Error(`${got} of ${size} bytes came`), { name: 'IncompleteBody' });
  });
}

/** False once the server has refused a conditional put; some (Swift) answer 501. */
let hasConditionalPuts = true;

/**
 * Writes an object that is not there yet; one that is stays as it is. For objects whose name decides their content: where the
 * server cannot put on condition, a second writer in the same moment writes the same again.
 */
export async function putOnce(place: S3Place, bytes: Uint8Array): Promise<'written' | 'there'> {
  const what = s3Url(place);
  if (hasConditionalPuts) {
    try {
      await put(place, bytes, { IfNoneMatch: '*' });
      return 'written';
    } catch (error) {
      if (statusOf(error) === 412 || nameOf(error) === 'PreconditionFailed') return 'there';
      if (statusOf(error) !== 501 && nameOf(error) !== 'NotImplemented') throw storageError(what, error);
      hasConditionalPuts = false;
    }
  }
  if (await findObject(place)) return 'there';
  await putObject(place, bytes);
  return 'written';
}

/** Writes an object, over what is there; returns its ETag. */
export const putObject = (place: S3Place, bytes: Uint8Array): Promise<string> =>
  put(place, bytes).catch((error: unknown) => {
    throw storageError(s3Url(place), error);
  });

const put = (place: S3Place, bytes: Uint8Array, condition: { IfNoneMatch?: string } = {}): Promise<string> =>
  patiently(s3Url(place), async () => {
    const { client, sdk } = await openStorage();
    const answer = await client.send(
      new sdk.PutObjectCommand({
        Bucket: place.bucket,
        Key: place.key,
        Body: bytes,
        ContentMD5: createHash('md5').update(bytes).digest('base64'),
        ...condition,
      }),
    );
    return plain(answer.ETag);
  });

/** Takes objects away; those that are gone already are no problem. */
export async function removeObjects(places: readonly S3Place[]): Promise<void> {
  const waiting = places.values();
  const drain = async () => {
    for (const place of waiting)
      await patiently(s3Url(place), async () => {
        const { client, sdk } = await openStorage();
        await client.send(new sdk.DeleteObjectCommand({ Bucket: place.bucket, Key: place.key }));
      }).catch((error: unknown) => {
        if (!isMissing(error)) throw storageError(s3Url(place), error);
      });
  };
  await Promise.all(Array.from({ length: Math.min(8, places.length) }, drain));
}

const plain = (etag: string | undefined) => (etag ?? '').replaceAll('"', '');
