import { UserError } from '../../contracts/errors.ts';
import { createRaster, type Mask, type Raster } from '../../image/raster.ts';
import type { DiffusionFolder } from './folder.ts';
import { type Network, openNetwork } from './network.ts';
import type { Latent } from './schedulers/define.ts';

/** Three planes, red first, in [−1, 1]: what the autoencoder reads and writes. */
export interface Planes {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

export interface LatentShape {
  readonly channels: number;
  readonly width: number;
  readonly height: number;
}

export interface Autoencoder {
  readonly channels: number;
  readonly factor: number;
  encode(planes: Planes): Promise<Latent>;
  decode(latent: Latent, shape: LatentShape): Promise<Planes>;
  close(): Promise<void>;
}

/** Encodes to the mean of the posterior, never a draw from it, so that the same picture gives the same latent. */
export async function openAutoencoder(folder: DiffusionFolder, { threads }: { threads: number }): Promise<Autoencoder> {
  const decoder = await openNetwork(folder.vaeDecoder, { threads });
  const [input] = decoder.inputs.values();
  const channels = typeof input.shape[1] === 'number' ? input.shape[1] : 4;
  const { scaling, factor } = folder;
  let encoder: Promise<Network> | undefined;
  const openEncoder = (): Promise<Network> => {
    if (!folder.vaeEncoder)
      throw new UserError(`${folder.path} has no vae_encoder/model.onnx, which it needs to start from a picture`);
    return (encoder ??= openNetwork(folder.vaeEncoder, { threads }));
  };
  return {
    channels,
    factor,
    async encode({ width, height, data }) {
      const network = await openEncoder();
      const [{ name }] = network.inputs.values();
      const [found] = await network.run({ [name]: { data, dims: [1, 3, height, width] } }, [network.outputs[0].name]);
      const length = (channels * width * height) / factor ** 2;
      if (found.length !== length && found.length !== 2 * length)
        throw new UserError(
          `${folder.vaeEncoder} gave ${found.length} numbers for a picture of ${width}×${height}, where ${length} (or twice as many, means and variances) were due`,
        );
      return Float64Array.from({ length }, (_, i) => found[i] * scaling);
    },
    async decode(latent, { width, height }) {
      const dims = [1, channels, height, width];
      const [data] = await decoder.run({ [input.name]: { data: latent.map((x) => x / scaling), dims } }, [
        decoder.outputs[0].name,
      ]);
      return { width: width * factor, height: height * factor, data };
    },
    close: async () => {
      await decoder.close();
      if (encoder) await (await encoder).close();
    },
  };
}

export function toPlanes({ width, height, data }: Raster): Planes {
  const pixels = width * height;
  const planes = new Float32Array(pixels * 3);
  for (let i = 0; i < pixels; i++) for (let c = 0; c < 3; c++) planes[c * pixels + i] = data[i * 3 + c] / 127.5 - 1;
  return { width, height, data: planes };
}

export function toRaster({ width, height, data }: Planes): Raster {
  const pixels = width * height;
  const raster = createRaster(width, height);
  for (let i = 0; i < pixels; i++)
    for (let c = 0; c < 3; c++) {
      // A network in half precision may overflow to NaN, which counts as black.
      const level = Math.round((data[c * pixels + i] + 1) * 127.5) || 0;
      raster.data[i * 3 + c] = Math.min(255, Math.max(0, level));
    }
  return raster;
}

/** How much of each latent the object covers, 0 to 1. */
export function coverage({ width, height, data }: Mask, factor: number): Float64Array {
  const columns = width / factor;
  const shares = new Float64Array(columns * (height / factor));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (data[y * width + x]) shares[Math.floor(y / factor) * columns + Math.floor(x / factor)] += 1 / factor ** 2;
  return shares;
}
