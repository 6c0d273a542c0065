import { Refused } from '../../net/throttle.ts';
import type { Provider } from '../provider.ts';
import {
  finished,
  type HttpProviderOptions,
  keyOf,
  paintedRaster,
  pngBlob,
  postForm,
  requestOptions,
  trimmed,
} from './http-provider.ts';

const keyName = 'STABILITY_API_KEY';
const ratios = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21'];

/** Stability AI's stable-image service; `model` is `core`, `ultra` or `sd3`. */
export function stability(options: HttpProviderOptions = {}): Provider {
  const url = trimmed(options.url ?? 'https://api.stability.ai');
  const model = options.model ?? 'core';
  const settings = { ...options.settings };
  return {
    id: 'stability',
    identity: { url, model, settings },
    async generate(asked, { signal } = {}) {
      const { prompt, negative, seed, width = 1024, height = 1024, edit } = asked;
      const ratio = nearestRatio(width / height);
      const fields = {
        prompt,
        ...(negative && { negative_prompt: negative }),
        seed: String(seed),
        output_format: 'png',
        ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
      };
      const headers = { authorization: `Bearer ${keyOf(keyName, options)}`, accept: 'image/*' };
      const limits = requestOptions(options, { signal, keyName });
      const answer = edit
        ? await postForm(
            `${url}/v2beta/stable-image/edit/inpaint`,
            {
              ...fields,
              image: await pngBlob(edit.image),
              ...(edit.keep && { mask: await pngBlob(paintedRaster(edit.keep)) }),
            },
            headers,
            limits,
          )
        : await postForm(
            `${url}/v2beta/stable-image/generate/${model}`,
            { ...fields, aspect_ratio: ratio },
            headers,
            limits,
          );
      // A filtered picture comes with status 200, blurred.
      if (answer.headers.get('finish-reason') === 'CONTENT_FILTERED')
        throw new Refused(`${url} filtered the picture of '${prompt}'`);
      // It names no version of its models; the interface's own is all there is.
      return finished(answer.bytes, asked, { provider: 'stability', model, version: 'v2beta', settings });
    },
  };
}

const nearestRatio = (wanted: number) => {
  const value = (ratio: string) => {
    const [w, h] = ratio.split(':').map(Number);
    return Math.abs(Math.log(w / h / wanted));
  };
  return ratios.reduce((best, ratio) => (value(ratio) < value(best) ? ratio : best), '1:1');
};
