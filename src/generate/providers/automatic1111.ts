import { z } from 'zod';
import { encodeImage } from '../../image/encode.ts';
import { parseJson } from '../../net/request.ts';
import { Refused } from '../../net/throttle.ts';
import type { Provider } from '../provider.ts';
import {
  finished,
  fromBase64,
  type HttpProviderOptions,
  paintedRaster,
  postJson,
  requestOptions,
  trimmed,
  versionOf,
} from './http-provider.ts';

const answerSchema = z.looseObject({ images: z.array(z.string()).nullish(), info: z.string().nullish() });
/** `info` is JSON in a text: among others what was loaded, and the program's own version. */
const infoSchema = z.looseObject({
  sd_model_name: z.string().nullish(),
  sd_model_hash: z.string().nullish(),
  version: z.string().nullish(),
});

/** AUTOMATIC1111's web UI or Forge, started with `--api`. */
export function automatic1111(options: HttpProviderOptions = {}): Provider {
  const url = trimmed(options.url ?? 'http://127.0.0.1:7860');
  const settings = { steps: 25, cfg_scale: 7, ...options.settings };
  return {
    id: 'automatic1111',
    identity: { url, model: options.model ?? null, settings },
    async generate(asked, { signal } = {}) {
      const { prompt, negative = '', seed, width = 512, height = 512, edit } = asked;
      const base = {
        prompt,
        negative_prompt: negative,
        seed,
        width: edit?.image.width ?? width,
        height: edit?.image.height ?? height,
        batch_size: 1,
        n_iter: 1,
        ...(options.model && { override_settings: { sd_model_checkpoint: options.model } }),
        ...settings,
      };
      const body = edit
        ? {
            ...base,
            init_images: [await base64Png(edit.image)],
            denoising_strength: edit.strength ?? 1,
            // 1: painted over what was there; the mask's white is painted.
            ...(edit.keep && {
              mask: await base64Png(paintedRaster(edit.keep)),
              inpainting_fill: 1,
              inpainting_mask_invert: 0,
              inpaint_full_res: false,
            }),
          }
        : base;
      const path = edit ? 'img2img' : 'txt2img';
      const answer = await postJson(`${url}/sdapi/v1/${path}`, body, {}, requestOptions(options, { signal }));
      const parsed = answerSchema.safeParse(parseJson(answer.bytes, url));
      const image = parsed.data?.images?.[0];
      if (!image) throw new Refused(`${url} answered without images[0]`);
      const loaded = readInfo(parsed.data?.info);
      return finished(fromBase64(image), asked, {
        provider: 'automatic1111',
        model: options.model ?? loaded.sd_model_name ?? 'the one that is loaded',
        version: versionOf(loaded.sd_model_hash, loaded.version),
        settings,
      });
    },
  };
}

function readInfo(text: string | null | undefined): z.infer<typeof infoSchema> {
  try {
    return infoSchema.parse(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

const base64Png = async (image: Parameters<typeof encodeImage>[0]) =>
  Buffer.from(await encodeImage(image, { format: 'png' })).toString('base64');
