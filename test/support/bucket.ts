import type { S3Server } from './s3-server.ts';
import { filesOf } from './stored-content.ts';

/** A bucket looked at from outside, by Amazon's client alone. */
export interface Bucket {
  upload(folder: string, prefix: string): Promise<void>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Keys below a prefix, with what tells one writing of an object from the next. */
  list(prefix: string): Promise<{ key: string; etag: string; written: number }[]>;
  read(key: string): Promise<Buffer>;
}

export async function openBucket({ env }: S3Server, Bucket: string): Promise<Bucket> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    endpoint: env.AWS_ENDPOINT_URL,
    region: env.AWS_REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  await client.send(new sdk.CreateBucketCommand({ Bucket }));
  const put = async (Key: string, Body: Uint8Array) => {
    await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body }));
  };
  return {
    put,
    async upload(folder, prefix) {
      for (const { name, bytes } of await filesOf(folder)) await put(`${prefix}/${name}`, bytes);
    },
    async list(prefix) {
      const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: `${prefix}/` }));
      return Contents.map(({ Key = '', ETag = '', LastModified }) => ({
        key: Key,
        etag: ETag,
        written: LastModified?.getTime() ?? 0,
      }));
    },
    async read(Key) {
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
  };
}
