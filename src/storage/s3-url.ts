import { resolve } from 'node:path';
import { expected, UserError } from '../contracts/errors.ts';

/** An object, or what stands below a prefix, in a bucket. */
export interface S3Place {
  readonly bucket: string;
  /** Without a slash at either end; empty: the whole bucket. */
  readonly key: string;
}

export const isS3 = (place: string): boolean => place.startsWith('s3://');

/** `s3://bucket/some/prefix`. */
export function parseS3(url: string, name = 'a place on object storage'): S3Place {
  if (/^s3:\/\/[^/]*@/.test(url))
    throw new UserError(
      `An s3:// address for ${name} has no user or password in it; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`,
    );
  const [, bucket, rest = ''] = /^s3:\/\/([A-Za-z0-9][\w.-]{1,253}[A-Za-z0-9])(?:\/(.*))?$/s.exec(url) ?? [];
  if (!bucket) throw expected('s3://BUCKET or s3://BUCKET/PREFIX', name, url);
  const key = rest.replace(/^\/+|\/+$/g, '');
  if (!isSafeKey(key)) throw expected('an address without empty parts, . or ..', name, url);
  return { bucket, key };
}

export const s3Url = ({ bucket, key }: S3Place): string => `s3://${bucket}${key ? `/${key}` : ''}`;

export const below = ({ bucket, key }: S3Place, name: string): S3Place => ({
  bucket,
  key: key ? `${key}/${name}` : name,
});

/** Whether an address lies at or below another. */
export function isBelow(url: string, folder: string): boolean {
  const [place, home] = [s3Url(parseS3(url)), s3Url(parseS3(folder))];
  return place === home || place.startsWith(`${home}/`);
}

/** Whether an object's key can be a path on this disk, below where it should be. */
export const isSafeKey = (key: string): boolean =>
  key === '' || !key.split('/').some((part) => part === '' || part === '.' || part === '..' || /[\0\\]/.test(part));

/** A whole path, or an s3:// address as it stands. */
export const resolvePlace = (place: string, from = process.cwd()): string =>
  isS3(place) ? place : resolve(from, place);
