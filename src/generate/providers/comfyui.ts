import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Raster } from '../../image/raster.ts';
import { parseJson, request } from '../../net/request.ts';
import { Refused, TryAgain } from '../../net/throttle.ts';
import type { Provider } from '../provider.ts';
import { checkpointsOf, defaultWorkflow, fillWorkflow, type Workflow } from './comfyui-workflow.ts';
import {
  finished,
  type HttpProviderOptions,
  paintedRaster,
  pngBlob,
  postForm,
  postJson,
  requestOptions,
  trimmed,
  versionOf,
} from './http-provider.ts';

const queuedSchema = z.looseObject({ prompt_id: z.string() });
const uploadedSchema = z.looseObject({ name: z.string(), subfolder: z.string().optional() });
const statsSchema = z.looseObject({ system: z.looseObject({ comfyui_version: z.string().nullish() }) });
const imageSchema = z.looseObject({ filename: z.string(), subfolder: z.string(), type: z.string() });
const historySchema = z.record(
  z.string(),
  z.looseObject({
    outputs: z.record(z.string(), z.looseObject({ images: z.array(imageSchema).optional() })),
    status: z.looseObject({ status_str: z.string().optional(), completed: z.boolean().optional() }).optional(),
  }),
);

export interface ComfyOptions extends HttpProviderOptions {
  /** The user's own graph in API format, with `{prompt}`, `{seed}` and the like where values go. */
  readonly workflow?: Workflow;
  readonly pollMs?: number;
}

/** ComfyUI over its HTTP interface. */
export function comfyui(options: ComfyOptions = {}): Provider {
  const url = trimmed(options.url ?? 'http://127.0.0.1:8188');
  const { pollMs = 500, model = 'v1-5-pruned-emaonly.safetensors' } = options;
  const settings = { steps: 25, cfg: 7, ...options.settings };
  let programVersion: Promise<string | undefined> | undefined;
  return {
    id: 'comfyui',
    identity: { url, model, settings, workflow: options.workflow ?? null },
    async generate(asked, { signal } = {}) {
      const { prompt, negative = '', seed, width = 512, height = 512, edit } = asked;
      const limits = requestOptions(options, { signal });
      const upload = async (name: string, image: Raster) => {
        const answer = await postForm(
          `${url}/upload/image`,
          { image: await pngBlob(image), overwrite: 'true' },
          {},
          limits,
        );
        const parsed = uploadedSchema.safeParse(parseJson(answer.bytes, url));
        if (!parsed.success) throw new Refused(`${url} did not take the ${name}`);
        return parsed.data.subfolder ? `${parsed.data.subfolder}/${parsed.data.name}` : parsed.data.name;
      };
      const files = edit
        ? {
            image: await upload('picture', edit.image),
            ...(edit.keep && { mask: await upload('mask', paintedRaster(edit.keep)) }),
          }
        : {};
      const kind = edit ? (edit.keep ? 'mask' : 'image') : 'none';
      const graph = fillWorkflow(options.workflow ?? defaultWorkflow({ checkpoint: model, edit: kind }), {
        prompt,
        negative,
        seed,
        width,
        height,
        strength: edit?.strength ?? 1,
        ...settings,
        ...files,
      });
      const queued = queuedSchema.safeParse(
        parseJson((await postJson(`${url}/prompt`, { prompt: graph }, {}, limits)).bytes, url),
      );
      if (!queued.success) throw new Refused(`${url} did not queue the prompt`);
      const picture = await finishedPicture(queued.data.prompt_id, limits, signal);
      const query = new URLSearchParams({
        filename: picture.filename,
        subfolder: picture.subfolder,
        type: picture.type,
      });
      const { bytes } = await request(`${url}/view?${query}`, {}, limits);
      return finished(bytes, asked, {
        provider: 'comfyui',
        model: checkpointsOf(graph) || 'as in the workflow',
        version: await versionHere(limits),
        settings,
      });
    },
  };

  /** Asked once, when the first picture has come; undefined where this ComfyUI does not say it. */
  function versionHere(limits: Parameters<typeof request>[2]): Promise<string | undefined> {
    programVersion ??= request(`${url}/system_stats`, {}, limits).then(
      ({ bytes }) => versionOf(statsSchema.safeParse(parseJson(bytes, url)).data?.system.comfyui_version),
      () => undefined,
    );
    return programVersion;
  }

  async function finishedPicture(id: string, limits: Parameters<typeof request>[2], signal?: AbortSignal) {
    for (;;) {
      const { bytes } = await request(`${url}/history/${encodeURIComponent(id)}`, {}, limits);
      const parsed = historySchema.safeParse(parseJson(bytes, url));
      if (!parsed.success) throw new TryAgain(`${url} answered with an unreadable history`);
      const entry = parsed.data[id];
      if (entry?.status?.status_str === 'error')
        throw new Refused(`${url}: the workflow failed; see ComfyUI's own log`);
      const images = Object.values(entry?.outputs ?? {}).flatMap((output) => output.images ?? []);
      if (images.length) return images[0];
      if (entry?.status?.completed)
        throw new Refused(`${url}: the workflow ended without a picture; it needs a SaveImage`);
      await wait(pollMs, undefined, { signal });
    }
  }
}
