import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../contracts/errors.ts';
import { endpoint } from './client.ts';

/** An error of the S3 client, with the server's status where it answered. */
interface StorageFailure extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** How long an unreachable storage is waited for before the command ends; what is done by then is kept. */
const patienceSeconds = () => {
  const seconds = Number(process.env.SCENESHIFT_S3_WAIT);
  return Number.isFinite(seconds) && process.env.SCENESHIFT_S3_WAIT ? seconds : 120;
};

/** After an interrupt: long enough for a server that is there; for a request that is begun then (what is done is brought there), longer. */
const [hurriedSeconds, lastSeconds] = [2, 10];
const hurrying = new AbortController();
// As many listen as there are requests under way.
setMaxListeners(0, hurrying.signal);
/** A request was given up after an interrupt: others would only be waited for as long. */
let isSilent = false;

/** From now on a storage that does not answer is hardly waited for. */
export const hurry = (): void => hurrying.abort();

export const statusOf = (error: unknown): number | undefined => (error as StorageFailure)?.$metadata?.httpStatusCode;
export const nameOf = (error: unknown): string => (error as StorageFailure)?.name ?? '';

export const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 || ['NoSuchKey', 'NotFound', 'NoSuchBucket'].includes(nameOf(error));

const transientNames = new Set([
  'TimeoutError',
  'RequestTimeout',
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'ConditionalRequestConflict',
  'OperationAborted',
  'IncompleteBody',
]);
const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

function isTransient(error: unknown): boolean {
  const { code, message = '' } = (error ?? {}) as StorageFailure;
  const status = statusOf(error);
  if (transientNames.has(nameOf(error)) || transientCodes.has(code ?? '')) return true;
  if (status !== undefined && (status === 429 || status === 408 || (status >= 500 && status !== 501))) return true;
  // A server that ends in the middle of an answer leaves half a document.
  return /socket hang up|aborted|Deserialization error|network|premature/i.test(message) && (status ?? 200) < 300;
}

/** One request to the storage, repeated while the server does not answer; in the end an error of one line. */
export async function patiently<Result>(what: string, step: () => Promise<Result>): Promise<Result> {
  const started = Date.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await unlessHurried(step);
    } catch (error) {
      if (error instanceof UserError) throw error;
      if (!isTransient(error)) throw error;
      const waited = (Date.now() - started) / 1000;
      if (isSilent || waited >= (hurrying.signal.aborted ? hurriedSeconds : patienceSeconds()))
        throw new UserError(
          `${what}: the storage${endpoint() ? ` at ${endpoint()}` : ''} has not answered for ${Math.round(waited)} s (${reason(error)}); what is done is kept, and the same command goes on from there`,
          { exitCode: 1 },
        );
      // Many machines wait for the same server; they should not all ask in the same moment.
      const pauseMs = Math.min(hurrying.signal.aborted ? 500 : 5000, 200 * 2 ** attempt) * (0.5 + Math.random() / 2);
      await wait(pauseMs, undefined, hurrying.signal.aborted ? {} : { signal: hurrying.signal }).catch(() => undefined);
    }
  }
}

/** One try. It may take as long as the connection allows, but not after an interrupt. */
async function unlessHurried<Result>(step: () => Promise<Result>): Promise<Result> {
  const { signal } = hurrying;
  const late = () => Object.assign(new Error('no answer'), { name: 'TimeoutError' });
  if (isSilent) throw late();
  let timer: NodeJS.Timeout | undefined;
  let arm = () => {};
  const given = new Promise<never>((_, reject) => {
    const giveUp = () => {
      isSilent = true;
      reject(late());
    };
    arm = () => (timer = setTimeout(giveUp, 1000 * hurriedSeconds));
    if (signal.aborted) timer = setTimeout(giveUp, 1000 * lastSeconds);
    else signal.addEventListener('abort', arm, { once: true });
  });
  try {
    return await Promise.race([step(), given]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', arm);
  }
}

/** Whether an error, in this thread or told by another, is that the storage did not answer. */
export const saysStorageAway = (error: unknown): boolean =>
  /: the storage.* has not answered for \d+ s /.test(String(error));

const reason = (error: unknown) => {
  const { code, message } = error as StorageFailure;
  return code ?? (nameOf(error) && nameOf(error) !== 'Error' ? nameOf(error) : message);
};

/** An answer that ends the command, in one line. */
export function storageError(what: string, error: unknown): UserError {
  if (error instanceof UserError) return error;
  const say = (text: string) => new UserError(`${what}: ${text}`, { exitCode: 1 });
  const name = nameOf(error);
  if (name === 'NoSuchBucket') return say('there is no such bucket');
  if (isMissing(error)) return say('there is nothing there');
  if (name === 'CredentialsProviderError' || /credential/i.test((error as Error).message))
    return say('no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or AWS_PROFILE) in the environment');
  if (/Region is missing/.test((error as Error).message)) return say('no region; set AWS_REGION in the environment');
  if (statusOf(error) === 403 || statusOf(error) === 401)
    return say(
      `not allowed (${name === 'Unknown' ? `status ${statusOf(error)}` : name}); see whether the credentials in the environment may do this`,
    );
  return say(`${reason(error)}${statusOf(error) ? ` (status ${statusOf(error)})` : ''}`);
}
