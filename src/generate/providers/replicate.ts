import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { expected } from '../../contracts/errors.ts';
import { encodeImage } from '../../image/encode.ts';
import type { Raster } from '../../image/raster.ts';
import { parseJson, request } from '../../net/request.ts';
import { Refused, TryAgain } from '../../net/throttle.ts';
import type { Provider } from '../provider.ts';
import {
  finished,
  type HttpProviderOptions,
  keyOf,
  paintedRaster,
  postJson,
  requestOptions,
  trimmed,
  versionOf,
} from './http-provider.ts';

const keyName = 'REPLICATE_API_TOKEN';
const predictionSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  output: z.union([z.string(), z.array(z.string()), z.null()]).optional(),
  error: z.unknown().optional(),
  version: z.string().nullish(),
  urls: z.looseObject({ get: z.string() }),
});
type Prediction = z.infer<typeof predictionSchema>;

/** Replicate: `model` is `owner/name` for the official ones, `owner/name:version` for any. */
export function replicate(options: HttpProviderOptions & { pollMs?: number } = {}): Provider {
  const url = trimmed(options.url ?? 'https://api.replicate.com/v1');
  const { model, pollMs = 1000 } = options;
  if (!model?.includes('/')) throw expected('owner/name or owner/name:version', 'the model of replicate', model);
  const [name, version] = model.split(':');
  const settings = { ...options.settings };
  return {
    id: 'replicate',
    identity: { url, model, settings },
    async generate(asked, { signal } = {}) {
      const { prompt, negative, seed, width, height, edit } = asked;
      const headers = { authorization: `Bearer ${keyOf(keyName, options)}` };
      const limits = requestOptions(options, { signal, keyName });
      const input = {
        prompt,
        ...(negative && { negative_prompt: negative }),
        seed,
        width,
        height,
        ...(edit && {
          image: await dataUrl(edit.image),
          ...(edit.keep && { mask: await dataUrl(paintedRaster(edit.keep)) }),
        }),
        ...settings,
      };
      const created = await postJson(
        version ? `${url}/predictions` : `${url}/models/${name}/predictions`,
        version ? { version, input } : { input },
        { ...headers, prefer: 'wait=60' },
        limits,
      );
      let prediction = read(created.bytes);
      // The address to ask again comes from the answer; the key goes to the service's own host alone.
      const own = new URL(url).host;
      while (prediction.status === 'starting' || prediction.status === 'processing') {
        await wait(pollMs, undefined, { signal });
        const at = new URL(prediction.urls.get);
        if (at.host !== own) throw new Refused(`${url} points to another host for its answer: ${at.host}`);
        prediction = read((await request(at.href, { headers }, limits)).bytes);
      }
      if (prediction.status !== 'succeeded')
        throw new Refused(
          `${url}: the prediction ${prediction.status}: ${String(prediction.error ?? 'no reason given')}`,
        );
      const output = Array.isArray(prediction.output) ? prediction.output[0] : prediction.output;
      if (!output) throw new Refused(`${url}: the prediction has no output`);
      const bytes = output.startsWith('data:')
        ? new Uint8Array(Buffer.from(output.slice(output.indexOf(',') + 1), 'base64'))
        : (await request(output, {}, requestOptions(options, { signal }))).bytes;
      return finished(bytes, asked, {
        provider: 'replicate',
        model,
        version: versionOf(prediction.version ?? version),
        settings,
      });
    },
  };

  function read(bytes: Uint8Array): Prediction {
    const parsed = predictionSchema.safeParse(parseJson(bytes, url));
    if (!parsed.success) throw new TryAgain(`${url} answered without a prediction`);
    return parsed.data;
  }
}

const dataUrl = async (image: Raster) =>
  `data:image/png;base64,${Buffer.from(await encodeImage(image, { format: 'png' })).toString('base64')}`;
