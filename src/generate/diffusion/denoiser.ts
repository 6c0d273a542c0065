import { UserError } from '../../contracts/errors.ts';
import type { LatentShape } from './autoencoder.ts';
import type { DiffusionFolder } from './folder.ts';
import { type Network, openNetwork, type TensorValues } from './network.ts';
import type { Latent } from './schedulers/define.ts';
import type { Conditioning } from './text/encode.ts';

export interface DenoiseInput {
  readonly sample: Latent;
  readonly timestep: number;
  readonly shape: LatentShape;
  readonly prompt: Conditioning;
  /** Only with guidance above 1. */
  readonly negative?: Conditioning;
  readonly guidance: number;
  /** Inpainting networks: the mask's channel and the masked picture's latents. */
  readonly extra?: Latent;
}

export interface Denoiser {
  /** Of the sample it takes: 4, or 9 where it was trained for inpainting. */
  readonly channels: number;
  /** Width and height in latents, where the file allows no other. */
  readonly fixed?: { readonly width: number; readonly height: number };
  /** The network's answer with classifier-free guidance (Ho and Salimans, 2022). */
  predict(input: DenoiseInput): Promise<Latent>;
  close(): Promise<void>;
}

export async function openDenoiser(folder: DiffusionFolder, { threads }: { threads: number }): Promise<Denoiser> {
  const network = await openNetwork(folder.unet, { threads });
  const port = network.inputs.get('sample');
  for (const name of ['sample', 'timestep', 'encoder_hidden_states', ...(folder.xl ? ['text_embeds', 'time_ids'] : [])])
    if (!network.inputs.has(name))
      throw new UserError(
        `${folder.unet} has no input '${name}' (it has ${[...network.inputs.keys()].join(', ')}); it is not a UNet of this kind`,
      );
  const [batch, channels, height, width] = port?.shape ?? [];
  const fixed = typeof height === 'number' && typeof width === 'number' ? { height, width } : undefined;
  const oneByOne = batch === 1;
  const output = network.outputs[0].name;

  const ask = async (conditionings: readonly Conditioning[], input: DenoiseInput): Promise<Float32Array> => {
    const feeds = feedsFor(network, folder, conditionings, input);
    return (await network.run(feeds, [output]))[0];
  };
  return {
    channels: typeof channels === 'number' ? channels : 4,
    fixed,
    async predict(input) {
      const { prompt, negative, guidance } = input;
      if (!negative || guidance <= 1) return Float64Array.from(await ask([prompt], input));
      const both = oneByOne ? undefined : await ask([negative, prompt], input);
      const half = both && both.length / 2;
      const without = both ? both.subarray(0, half) : await ask([negative], input);
      const withPrompt = both ? both.subarray(half) : await ask([prompt], input);
      return Float64Array.from(without, (value, i) => value + guidance * (withPrompt[i] - value));
    },
    close: network.close,
  };
}

function feedsFor(
  network: Network,
  folder: DiffusionFolder,
  conditionings: readonly Conditioning[],
  { sample, timestep, shape: { width, height }, extra, guidance }: DenoiseInput,
): Record<string, TensorValues> {
  const rows = conditionings.length;
  const own = extra ? Float64Array.from([...sample, ...extra]) : sample;
  const timestepShape = network.inputs.get('timestep')?.shape ?? [];
  const feeds: Record<string, TensorValues> = {
    sample: { data: repeat(own, rows), dims: [rows, own.length / (width * height), height, width] },
    timestep: { data: [timestep], dims: timestepShape.length ? [1] : [] },
    encoder_hidden_states: stack(conditionings.map(({ hidden }) => hidden)),
  };
  // A network that wants one timestep for each picture says so by another name than a fixed 1.
  if (timestepShape.length && timestepShape[0] !== 1 && timestepShape[0] === network.inputs.get('sample')?.shape[0])
    feeds.timestep = { data: new Array(rows).fill(timestep), dims: [rows] };
  if (folder.xl) {
    feeds.text_embeds = stack(conditionings.map(({ pooled }) => pooled as TensorValues));
    const [pixelWidth, pixelHeight] = [width * folder.factor, height * folder.factor];
    // Original size, crop from the corner, wanted size; Podell et al. (2023), 2.2.
    const sizes = [pixelHeight, pixelWidth, 0, 0, pixelHeight, pixelWidth];
    feeds.time_ids = { data: repeat(Float64Array.from(sizes), rows), dims: [rows, 6] };
  }
  const strength = network.inputs.get('timestep_cond');
  if (strength) {
    const wide = typeof strength.shape[1] === 'number' ? strength.shape[1] : 256;
    feeds.timestep_cond = { data: repeat(guidanceEmbedding(guidance - 1, wide), rows), dims: [rows, wide] };
  }
  return feeds;
}

/** How a distilled network is told the strength of guidance: sines and cosines of 1000 w; Luo et al. (2023). */
function guidanceEmbedding(w: number, width: number): Float64Array {
  const half = width >> 1;
  const angle = (k: number) => w * 1000 * Math.exp((-Math.log(10000) * k) / (half - 1));
  return Float64Array.from({ length: width }, (_, k) => (k < half ? Math.sin(angle(k)) : Math.cos(angle(k - half))));
}

function repeat(values: Float64Array, rows: number): Float64Array {
  const data = new Float64Array(values.length * rows);
  for (let row = 0; row < rows; row++) data.set(values, row * values.length);
  return data;
}

function stack(all: readonly TensorValues[]): TensorValues {
  const length = all[0].data.length;
  const data = new Float32Array(length * all.length);
  for (const [row, values] of all.entries()) data.set(values.data, row * length);
  return { data, dims: [all.length, ...all[0].dims.slice(1)] };
}
