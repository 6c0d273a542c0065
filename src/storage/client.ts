import type { S3Client } from '@aws-sdk/client-s3';
import { expected } from '../contracts/errors.ts';

export interface Storage {
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
}

let opened: Promise<Storage> | undefined;
let clockOffsetMs = 0;

/** Any S3-compatible server; unset: Amazon's. */
export const endpoint = (env: NodeJS.ProcessEnv = process.env): string =>
  env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || '';

/** What the server's clock says now, as its latest answer had it. */
export const serverNow = (): number => Date.now() + clockOffsetMs;

/**
 * One client for this thread, loaded when first needed. Address, region and credentials come from where Amazon's own tools take
 * them (environment, profile, role); none is kept, shown or handed on.
 */
export function openStorage(): Promise<Storage> {
  opened ??= connect();
  return opened;
}

async function connect(): Promise<Storage> {
  // What Amazon plans for later versions of its library is no business of someone who runs this one.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const sdk = await import('@aws-sdk/client-s3');
  const address = endpoint();
  if (address && !/^https?:$/.test(URL.canParse(address) ? new URL(address).protocol : ''))
    throw expected("a server's address, http:// or https://", 'AWS_ENDPOINT_URL', address);
  const region = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION || (address ? 'us-east-1' : undefined);
  const client = new sdk.S3Client({
    ...(address && { endpoint: address, forcePathStyle: true }),
    ...(region && { region }),
    followRegionRedirects: true,
    // Waited for by `patiently`, which knows for how long.
    maxAttempts: 1,
    // Older servers refuse the newer checksums; sizes and Content-MD5 are compared instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 120_000,
      throwOnRequestTimeout: true,
      socketTimeout: 30_000,
    },
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const { headers } = (answer.response ?? {}) as { headers?: Record<string, string> };
      const date = Date.parse(headers?.date ?? '');
      if (Number.isFinite(date)) clockOffsetMs = date - Date.now();
      return answer;
    },
    { step: 'deserialize', name: 'sceneshiftServerClock', priority: 'low' },
  );
  return { sdk, client };
}
