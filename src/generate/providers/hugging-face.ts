import { expected } from '../../contracts/errors.ts';
import type { Provider } from '../provider.ts';
import {
  finished,
  type HttpProviderOptions,
  keyOf,
  postJson,
  requestOptions,
  trimmed,
  versionOf,
} from './http-provider.ts';

const keyName = 'HF_TOKEN';

/** Hugging Face inference: text to picture with any model that is served there. */
export function huggingFace(options: HttpProviderOptions = {}): Provider {
  const url = trimmed(options.url ?? 'https://router.huggingface.co/hf-inference');
  const model = options.model ?? 'stabilityai/stable-diffusion-xl-base-1.0';
  const settings = { ...options.settings };
  return {
    id: 'hugging-face',
    identity: { url, model, settings },
    async generate(asked, { signal } = {}) {
      const { prompt, negative, seed, width, height, edit } = asked;
      if (edit)
        throw expected(
          'a provider that paints around an object',
          '--provider',
          'hugging-face',
          'take automatic1111, comfyui, openai, stability, replicate, command or diffusion',
        );
      const parameters = { ...(negative && { negative_prompt: negative }), seed, width, height, ...settings };
      const headers = { authorization: `Bearer ${keyOf(keyName, options)}`, accept: 'image/png' };
      const answer = await postJson(
        `${url}/models/${model}`,
        { inputs: prompt, parameters },
        headers,
        requestOptions(options, { signal, keyName }),
      );
      const version = versionOf(answer.headers.get('x-repo-commit'));
      return finished(answer.bytes, asked, { provider: 'hugging-face', model, version, settings });
    },
  };
}
