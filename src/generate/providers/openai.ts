import { z } from 'zod';
import { parseJson } from '../../net/request.ts';
import { Refused } from '../../net/throttle.ts';
import type { Provider } from '../provider.ts';
import {
  finished,
  fromBase64,
  type HttpProviderOptions,
  keyOf,
  pngBlob,
  postForm,
  postJson,
  requestOptions,
  trimmed,
  versionOf,
} from './http-provider.ts';

const answerSchema = z.looseObject({
  model: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  data: z.array(z.looseObject({ b64_json: z.string().nullish() })).min(1),
});
const keyName = 'OPENAI_API_KEY';
const noSeed = 'this service takes no seed: the same request gives another picture each time';

/** OpenAI's images, generations and edits, or any service of the same form. */
export function openaiImages(options: HttpProviderOptions = {}): Provider {
  const url = trimmed(options.url ?? 'https://api.openai.com/v1');
  const model = options.model ?? 'gpt-image-1';
  const settings = { ...options.settings };
  return {
    id: 'openai',
    identity: { url, model, settings },
    async generate(asked, { signal } = {}) {
      const { prompt, negative, width = 1024, height = 1024, edit } = asked;
      const authorization = { authorization: `Bearer ${keyOf(keyName, options)}` };
      const limits = requestOptions(options, { signal, keyName });
      const warnings = [noSeed];
      // There is no field for it, so it is said in words.
      const words = negative ? `${prompt}. Without: ${negative}` : prompt;
      const fields = { model, prompt: words, n: 1, size: `${width}x${height}`, ...settings };
      const answer = edit
        ? await postForm(
            `${url}/images/edits`,
            {
              ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
              image: await pngBlob(edit.image),
              // Transparent is what is painted.
              ...(edit.keep && { mask: await pngBlob(edit.image, edit.keep.data) }),
            },
            authorization,
            limits,
          )
        : await postJson(`${url}/images/generations`, fields, authorization, limits);
      const parsed = answerSchema.safeParse(parseJson(answer.bytes, url));
      const image = parsed.data?.data[0].b64_json;
      if (!image) throw new Refused(`${url} answered without data[0].b64_json`);
      const said = parsed.data;
      const version = versionOf(said?.model, said?.system_fingerprint, answer.headers.get('openai-version'));
      return finished(fromBase64(image), asked, { provider: 'openai', model, version, settings, warnings });
    },
  };
}
