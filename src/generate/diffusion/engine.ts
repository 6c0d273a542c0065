import { expected, UserError } from '../../contracts/errors.ts';
import { createMask, type Mask, type Raster } from '../../image/raster.ts';
import { resize, resizePlane } from '../../image/resize.ts';
import { type LatentShape, openAutoencoder, type Planes, toPlanes, toRaster } from './autoencoder.ts';
import { openDenoiser } from './denoiser.ts';
import { type DiffusionFolder, hashDiffusionFolder, readDiffusionFolder } from './folder.ts';
import { noiseSource } from './noise.ts';
import { sampleLatent } from './sample.ts';
import type { Latent } from './schedulers/define.ts';
import { schedulerFor } from './schedulers/index.ts';
import { type Conditioning, openTextEncoder } from './text/encode.ts';

export interface EngineOptions {
  readonly folder: string;
  readonly threads: number;
  /** Instead of the folder's own: an id of `schedulers`. */
  readonly scheduler?: string;
  readonly steps?: number;
  readonly guidance?: number;
}

export interface PaintRequest {
  readonly prompt: string;
  readonly negative?: string;
  /** Everything that decides the noise. */
  readonly seed: readonly (string | number)[];
  /** Pixels of the result; painted at the nearest size the model can, then resized. */
  readonly width?: number;
  readonly height?: number;
  readonly image?: Raster;
  readonly keep?: Mask;
  readonly strength?: number;
  readonly lambda?: number;
  readonly steps?: number;
  readonly guidance?: number;
  /** For comparison with other pipelines: the noise itself. */
  readonly noise?: Latent;
  readonly signal?: AbortSignal;
  readonly onStep?: (share: number, latent: Latent) => void;
}

export interface Painted {
  readonly image: Raster;
  /** As decoded: not yet rounded to 8 bits, nor resized to what was asked for. */
  readonly planes: Planes;
  readonly warnings: readonly string[];
}

export interface DiffusionEngine {
  readonly folder: DiffusionFolder;
  /** Everything that decides a picture beside the request, as plain JSON. */
  readonly settings: Readonly<Record<string, string | number | boolean | null>>;
  readonly hash: string;
  /** Side of the pictures it was trained on. */
  readonly size: number;
  /** Paints one picture at a time; further calls wait. */
  paint(request: PaintRequest): Promise<Painted>;
  close(): Promise<void>;
}

const usualSteps: Readonly<Record<string, number>> = { lcm: 4, ddpm: 50 };

/** What an engine will be, checked, with nothing loaded yet. */
export function describeEngine(options: EngineOptions) {
  const folder = readDiffusionFolder(options.folder);
  const { scheduler, warnings } = schedulerFor(options.scheduler ?? folder.schedulerName, folder.schedulerFile);
  const steps = options.steps ?? folder.defaults.steps ?? usualSteps[scheduler.id] ?? 25;
  const guidance = options.guidance ?? folder.defaults.guidance ?? (scheduler.id === 'lcm' ? 1 : 7.5);
  if (!Number.isInteger(steps) || steps < 1 || steps > folder.schedulerConfig.num_train_timesteps)
    throw expected(
      `a whole number from 1 to ${folder.schedulerConfig.num_train_timesteps}`,
      'the number of steps',
      steps,
    );
  return { folder, scheduler, warnings, settings: { scheduler: scheduler.id, steps, guidance } };
}

export async function openDiffusionEngine(options: EngineOptions): Promise<DiffusionEngine> {
  const { folder, scheduler, settings, warnings: general } = describeEngine(options);
  const { steps, guidance } = settings;
  const { threads } = options;
  const text = await openTextEncoder(folder, { threads });
  const denoiser = await openDenoiser(folder, { threads });
  const autoencoder = await openAutoencoder(folder, { threads });
  const { channels, factor } = autoencoder;
  if (denoiser.channels !== channels && denoiser.channels !== 2 * channels + 1)
    throw new UserError(
      `${folder.unet} takes ${denoiser.channels} channels; ${channels}, or ${2 * channels + 1} for inpainting, are expected beside an autoencoder of ${channels}`,
    );

  const negativeOf = async (negative: string | undefined, prompt: Conditioning): Promise<Conditioning> => {
    if (negative || !folder.zeroEmptyNegative) return text.encode(negative ?? '');
    const zeros = ({ data, dims }: Conditioning['hidden']) => ({ data: new Float32Array(data.length), dims });
    return { hidden: zeros(prompt.hidden), pooled: prompt.pooled && zeros(prompt.pooled), warnings: [] };
  };

  const paint = async (request: PaintRequest): Promise<Painted> => {
    const { image, keep, width = image?.width ?? 0, height = image?.height ?? 0 } = request;
    const shape: LatentShape = { channels, ...latentSize(width, height, folder, denoiser.fixed) };
    const pixels = { width: shape.width * factor, height: shape.height * factor };
    const strong = request.guidance ?? guidance;
    const prompt = await text.encode(request.prompt);
    // Guidance is a step from the negative prompt to the prompt; where they are the same there is none to take.
    const apart = strong > 1 && (folder.zeroEmptyNegative || request.prompt !== (request.negative ?? ''));
    const negative = apart ? await negativeOf(request.negative, prompt) : undefined;
    const noise = noiseSource(...request.seed);
    const latent = await sampleLatent({
      autoencoder,
      denoiser,
      schedule: scheduler.schedule(folder.schedulerConfig, request.steps ?? steps),
      shape,
      prompt,
      negative,
      guidance: strong,
      noise,
      startNoise: request.noise,
      lambda: request.lambda ?? 0,
      start: image && {
        planes: toPlanes(resizedTo(image, pixels)),
        keep: keep && fitMask(keep, pixels),
        strength: request.strength ?? (keep ? 1 : 0.8),
      },
      signal: request.signal,
      onStep: request.onStep,
    });
    const planes = await autoencoder.decode(latent, shape);
    const wanted = { width: width || pixels.width, height: height || pixels.height };
    const warnings = [...new Set([...general, ...prompt.warnings, ...(negative?.warnings ?? [])])];
    return { image: resizedTo(toRaster(planes), wanted), planes, warnings };
  };

  // onnxruntime computes on all its threads for one call; two calls at a time would only take turns.
  let last: Promise<unknown> = Promise.resolve();
  return {
    folder,
    settings,
    hash: await hashDiffusionFolder(options.folder),
    size: folder.latentSide * factor,
    paint(request) {
      const next = last.then(() => paint(request));
      last = next.catch(() => undefined);
      return next;
    },
    close: async () => {
      await last;
      await Promise.all([text.close(), denoiser.close(), autoencoder.close()]);
    },
  };
}

/** UNets halve the latents three times, so sides are multiples of eight of them. */
const grid = 8;

/** As many latents as in training, at the wanted aspect. */
export function latentSize(
  width: number,
  height: number,
  { latentSide }: Pick<DiffusionFolder, 'latentSide'>,
  fixed?: { width: number; height: number },
): { width: number; height: number } {
  if (fixed) return fixed;
  if (!width || !height) return { width: latentSide, height: latentSide };
  const scale = latentSide / Math.sqrt(width * height);
  const side = (pixels: number) => Math.max(grid, Math.round((pixels * scale) / grid) * grid);
  return { width: side(width), height: side(height) };
}

function resizedTo(image: Raster, { width, height }: { width: number; height: number }): Raster {
  if (image.width === width && image.height === height) return image;
  return resize(image, width, height, width * height < image.width * image.height ? 'box' : 'bicubic');
}

/** Object where at least half a pixel is. */
function fitMask(mask: Mask, { width, height }: { width: number; height: number }): Mask {
  if (mask.width === width && mask.height === height) return mask;
  const shares = resizePlane(mask, 1, width, height, width * height < mask.data.length ? 'box' : 'bilinear');
  return createMask(
    width,
    height,
    shares.map((share) => (share >= 128 ? 255 : 0)),
  );
}
