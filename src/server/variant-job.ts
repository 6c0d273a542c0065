import { SampleError } from '../contracts/errors.ts';
import { encodeImage } from '../image/encode.ts';
import { area, boundary } from '../image/mask-ops.ts';
import { createRaster, type Mask, type Raster } from '../image/raster.ts';
import { resize, resizeMask } from '../image/resize.ts';
import { defineJob } from '../run/jobs.ts';
import { createLru } from '../run/lru.ts';
import type { Photograph } from '../run/photograph.ts';
import type { ScenePoolOptions } from '../run/scene-pool.ts';
import { createVariantMaker, type LoadedSample } from '../run/variants.ts';

/** As the run had them; all samples, since scenes may borrow from any of them. */
export type VariantInit = Omit<ScenePoolOptions, 'cacheBytes'>;

export const variantViews = ['picture', 'mask', 'border'] as const;
export type VariantView = (typeof variantViews)[number];

export type VariantTask =
  | {
      readonly kind: 'variant';
      readonly sample: number;
      readonly scenario: string;
      readonly view: VariantView;
      readonly sizePx: number;
    }
  | { readonly kind: 'pixels'; readonly sample: number; readonly scenario: string }
  | { readonly kind: 'facts'; readonly sample: number };

export interface VariantResult {
  readonly bytes?: Uint8Array;
  readonly type?: string;
  /** Size, middle and lightness; NaN where there is no mask. */
  readonly facts?: readonly [size: number, x: number, y: number, brightness: number];
  readonly pixels?: { readonly image: Raster; readonly mask?: Mask };
  /** Why it could not be made. */
  readonly problem?: string;
}

const tilePx = 160;
const wholePx = 1024;
const photographBytes = 48 * 2 ** 20;
const poolBytes = 48 * 2 ** 20;

/** One variant of a run, made again as the run made it: the same seed, the same photographs, the same pixels. */
export const variantJob = defineJob<VariantInit, VariantTask, VariantResult>({
  name: 'studio-variant',
  async open(init) {
    const { samples } = init;
    const maker = createVariantMaker({ ...init, cacheBytes: poolBytes });
    const loaded = createLru<LoadedSample>(photographBytes, ({ photograph: { image } }) => 4 * image.data.length);
    const load = (index: number) => loaded(String(index), () => maker.load(samples[index]));

    const answer = async (task: VariantTask): Promise<VariantResult> => {
      if (task.kind === 'facts') return { facts: factsOf((await load(task.sample)).photograph) };
      const { image, mask } = await (await load(task.sample)).variant(task.scenario);
      if (task.kind === 'pixels') return { pixels: { image, mask } };
      if (task.view === 'picture') {
        const small = reduce(image, task.sizePx);
        // JPEG takes a fifth of WebP's time, which counts where a screen full of tiles is waited for.
        if (task.sizePx <= tilePx)
          return {
            bytes: await encodeImage(small, { format: 'jpeg', quality: 85, chromaSubsampling: '4:2:0' }),
            type: 'image/jpeg',
          };
        // One picture looked at closely is the pixels that models saw, not nearly those.
        if (task.sizePx >= wholePx) return { bytes: await encodeImage(small, { format: 'png' }), type: 'image/png' };
        return { bytes: await encodeImage(small, { format: 'webp', quality: 82 }), type: 'image/webp' };
      }
      if (!mask) throw new SampleError('mask-missing', 'this sample has no mask');
      return { bytes: await drawMask(mask, task.view, task.sizePx), type: 'image/png' };
    };

    return {
      async run(task) {
        try {
          return await answer(task);
        } catch (error) {
          if (error instanceof SampleError) return { problem: error.message };
          throw error;
        }
      },
      async close() {},
    };
  },
});

function factsOf({ image, mask }: Photograph): [number, number, number, number] {
  let light = 0;
  for (let i = 0; i < image.data.length; i += 3)
    light += 0.2126 * image.data[i] + 0.7152 * image.data[i + 1] + 0.0722 * image.data[i + 2];
  const brightness = light / (image.width * image.height) / 255;
  if (!mask) return [Number.NaN, Number.NaN, Number.NaN, brightness];
  let [x, y] = [0, 0];
  for (let i = 0; i < mask.data.length; i++) {
    if (!mask.data[i]) continue;
    x += (i % mask.width) + 0.5;
    y += Math.floor(i / mask.width) + 0.5;
  }
  const pixels = area(mask);
  return [pixels / mask.data.length, x / pixels / mask.width, y / pixels / mask.height, brightness];
}

function reduce(image: Raster, sizePx: number): Raster {
  const scale = sizePx / Math.max(image.width, image.height);
  if (scale >= 1) return image;
  const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  return resize(image, width, height, 'bilinear');
}

const tint = [255, 64, 160] as const;

/** The object tinted, or its border alone, on nothing: laid over the picture by the page. */
async function drawMask(mask: Mask, view: VariantView, sizePx: number): Promise<Uint8Array> {
  const scale = Math.min(1, sizePx / Math.max(mask.width, mask.height));
  const [width, height] = [mask.width, mask.height].map((side) => Math.max(1, Math.round(side * scale)));
  const small = scale < 1 ? resizeMask(mask, width, height) : mask;
  const picture = createRaster(width, height);
  for (let i = 0; i < picture.data.length; i++) picture.data[i] = tint[i % 3];
  const line = boundary(small);
  const inside = view === 'mask' ? 110 : 0;
  const alpha = Uint8Array.from(small.data, (value, i) => (line.data[i] ? 255 : value ? inside : 0));
  return encodeImage(picture, { format: 'png', alpha });
}
