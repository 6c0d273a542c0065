import { UserError } from '../../contracts/errors.ts';
import { encodeImage } from '../../image/encode.ts';
import type { Mask, Raster } from '../../image/raster.ts';
import { type HttpReply, type RequestOptions, request } from '../../net/request.ts';
import { Refused } from '../../net/throttle.ts';
import type { GeneratedImage, GenerateRequest, Provenance } from '../provider.ts';

export interface HttpProviderOptions {
  /** Where the service listens, where it is not the public one. */
  readonly url?: string;
  readonly model?: string;
  /** Further fields of the service's own request: steps, guidance, quality… */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  readonly timeoutSeconds?: number;
  /** Keys are read here alone, and appear nowhere else. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** No picture that is asked for here is larger. */
const maxAnswerBytes = 64 * 2 ** 20;

export function requestOptions(
  { timeoutSeconds = 300 }: HttpProviderOptions,
  { signal, keyName }: { signal?: AbortSignal; keyName?: string } = {},
): RequestOptions {
  return { timeoutSeconds, maxBytes: maxAnswerBytes, signal, keyName };
}

export function keyOf(name: string, { environment = process.env }: HttpProviderOptions): string {
  const key = environment[name]?.trim();
  if (!key) throw new UserError(`No key: set ${name} in the environment`);
  return key;
}

export const trimmed = (url: string) => url.replace(/\/+$/, '');

export function postJson(url: string, body: unknown, headers: Record<string, string>, options: RequestOptions) {
  return request(
    url,
    { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
    options,
  );
}

export function postForm(
  url: string,
  fields: Record<string, string | Blob>,
  headers: Record<string, string>,
  options: RequestOptions,
): Promise<HttpReply> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, `${name}.png`);
  }
  return request(url, { method: 'POST', headers, body: form }, options);
}

export const pngBlob = async (image: Raster, alpha?: Uint8Array) =>
  new Blob([new Uint8Array(await encodeImage(image, { format: 'png', alpha }))], { type: 'image/png' });

/** A mask as a picture, white where the service is to paint. */
export function paintedRaster({ width, height, data }: Mask): Raster {
  const painted = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i++) painted.fill(data[i] === 255 ? 0 : 255, 3 * i, 3 * i + 3);
  return { width, height, data: painted };
}

/** PNG, JPEG or WebP by its first bytes; anything else is not a picture, whatever the service calls it. */
export function pictureFormat(bytes: Uint8Array): GeneratedImage['format'] {
  const starts = (...values: number[]) => values.every((value, i) => bytes[i] === value);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'png';
  if (starts(0xff, 0xd8, 0xff)) return 'jpeg';
  if (starts(0x52, 0x49, 0x46, 0x46) && bytes[8] === 0x57 && bytes[9] === 0x45) return 'webp';
  throw new Refused(`the answer is no picture: ${bytes.length} bytes that are not PNG, JPEG or WebP`);
}

/** The picture that came back, with the request and settings as its provenance. */
export function finished(
  bytes: Uint8Array,
  asked: GenerateRequest,
  rest: Pick<Provenance, 'provider' | 'model' | 'settings'> & {
    warnings?: readonly string[];
    seed?: number;
    version?: string;
  },
): GeneratedImage {
  const { width = asked.edit?.image.width ?? 0, height = asked.edit?.image.height ?? 0 } = asked;
  return {
    bytes,
    format: pictureFormat(bytes),
    provenance: {
      provider: rest.provider,
      model: rest.model,
      ...(rest.version ? { version: rest.version } : {}),
      prompt: asked.prompt,
      ...(asked.negative ? { negative: asked.negative } : {}),
      seed: rest.seed ?? asked.seed,
      width,
      height,
      settings: rest.settings,
      warnings: rest.warnings ?? [],
    },
  };
}

export const fromBase64 = (text: string) => new Uint8Array(Buffer.from(text.replace(/^data:[^,]*,/, ''), 'base64'));

/** What is said of a version, in one text; undefined where nothing is. */
export const versionOf = (...parts: readonly (string | null | undefined)[]): string | undefined =>
  parts
    .map((part) => part?.trim().slice(0, 200))
    .filter(Boolean)
    .join(', ') || undefined;
