import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../../contracts/errors.ts';
import { parseSchedulerConfig, type SchedulerConfig } from './schedulers/config.ts';

/** A diffusion model on disk, as optimum and diffusers export it. */
export interface DiffusionFolder {
  readonly path: string;
  readonly name: string;
  /** Paths of the ONNX files. */
  readonly unet: string;
  readonly vaeDecoder: string;
  /** Needed for pictures to start from. */
  readonly vaeEncoder?: string;
  /** Of one or two text encoders, in the order in which they are joined. */
  readonly text: readonly { readonly encoder: string; readonly tokenizer: string }[];
  readonly xl: boolean;
  readonly schedulerName: string;
  readonly schedulerConfig: SchedulerConfig;
  readonly schedulerFile: string;
  /** Latents are the autoencoder's numbers times this. */
  readonly scaling: number;
  /** Pixels of one latent, across. */
  readonly factor: number;
  /** Side of the pictures it was trained on, in latents. */
  readonly latentSide: number;
  /** SDXL: negative embeddings of an empty prompt are zeros. */
  readonly zeroEmptyNegative: boolean;
  /** From `_sceneshift` in model_index.json, which diffusers passes over: what suits a model of our own making. */
  readonly defaults: { readonly steps?: number; readonly guidance?: number };
  /** All words the model was trained with, where they are few. */
  readonly words?: readonly string[];
}

const classes =
  /^(Onnx|ORT)?(StableDiffusion(XL)?|LatentConsistencyModel)(Img2Img|Inpaint)?(Legacy)?Pipeline(Legacy)?$/;
const needed = 'a diffusion folder has model_index.json, tokenizer, text_encoder, unet, vae_decoder and scheduler';

/** Reads and checks a folder; nothing is loaded yet. */
export function readDiffusionFolder(path: string): DiffusionFolder {
  const index = join(path, 'model_index.json');
  if (!existsSync(index))
    throw new UserError(
      `${path} is not a diffusion model: it has no model_index.json; ${needed}, as optimum-cli export onnx writes it`,
    );
  const pipeline = readJson(index);
  const className = String(pipeline._class_name ?? '');
  const match = classes.exec(className);
  if (!match)
    throw new UserError(
      `${index} is of a ${className || 'pipeline without a name'}; Stable Diffusion 1.x, 2.x, inpainting, XL and latent consistency models can be used`,
    );
  const xl = Boolean(match[3]);
  const onnx = (part: string) => join(path, part, 'model.onnx');
  const part = (name: string): string => {
    const file = onnx(name);
    if (existsSync(file)) return file;
    const torch = ['safetensors', 'bin'].some(
      (end) =>
        existsSync(join(path, name, `diffusion_pytorch_model.${end}`)) || existsSync(join(path, name, `model.${end}`)),
    );
    throw new UserError(
      `${path} has no ${name}/model.onnx${torch ? ', only its PyTorch weights: convert it with optimum-cli export onnx --model DIR OUT' : `; ${needed}`}`,
    );
  };
  const folder = (name: string): string => {
    if (existsSync(join(path, name))) return join(path, name);
    throw new UserError(`${path} has no folder ${name}; ${needed}`);
  };
  const text = [{ encoder: part('text_encoder'), tokenizer: folder('tokenizer') }];
  if (xl) text.push({ encoder: part('text_encoder_2'), tokenizer: folder('tokenizer_2') });
  const schedulerFile = join(folder('scheduler'), 'scheduler_config.json');
  if (!existsSync(schedulerFile)) throw new UserError(`${path} has no scheduler/scheduler_config.json; ${needed}`);
  const scheduler = readJson(schedulerFile);
  const vae = { ...optional(join(path, 'vae/config.json')), ...optional(join(path, 'vae_decoder/config.json')) };
  const unet = optional(join(path, 'unet/config.json'));
  const levels = Array.isArray(vae.block_out_channels) ? vae.block_out_channels.length : 4;
  const own = (pipeline._sceneshift ?? {}) as { steps?: number; guidance?: number; words?: string[] };
  return {
    path,
    name: basename(path),
    unet: part('unet'),
    vaeDecoder: part('vae_decoder'),
    ...(existsSync(onnx('vae_encoder')) && { vaeEncoder: onnx('vae_encoder') }),
    text,
    xl,
    schedulerName: String(scheduler._class_name ?? ''),
    schedulerConfig: parseSchedulerConfig(scheduler, schedulerFile),
    schedulerFile,
    scaling: Number(vae.scaling_factor ?? (xl ? 0.13025 : 0.18215)),
    factor: 2 ** (levels - 1),
    latentSide: Number(Array.isArray(unet.sample_size) ? unet.sample_size[0] : (unet.sample_size ?? (xl ? 128 : 64))),
    zeroEmptyNegative: xl && pipeline.force_zeros_for_empty_prompt !== false,
    defaults: { steps: own.steps, guidance: own.guidance },
    ...(own.words?.length && { words: own.words }),
  };
}

/** Of every file that decides a picture: their names and contents. */
export async function hashDiffusionFolder(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !/\.(md|png|jpg|txt~)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${relative(path, file).replaceAll('\\', '/')}\n${statSync(file).size}\n`);
    const own = createHash('sha256');
    await pipeline(createReadStream(file), own);
    hash.update(own.digest());
  }
  return hash.digest('hex').slice(0, 32);
}

function readJson(file: string): Record<string, unknown> {
  try {
    const json = JSON.parse(readFileSync(file, 'utf8'));
    if (json && typeof json === 'object' && !Array.isArray(json)) return json;
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${(error as Error).message}`);
  }
  throw new UserError(`${file} is not a JSON object`);
}

const optional = (file: string): Record<string, unknown> => (existsSync(file) ? readJson(file) : {});
