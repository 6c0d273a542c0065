import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createMask, createRaster } from '../../image/raster.ts';
import { type DiffusionEngine, openDiffusionEngine, type PaintRequest } from './engine.ts';
import type { Latent } from './schedulers/define.ts';

// Random Stable Diffusions and what PyTorch paints with them; made by test/fixtures/diffusion/make.py.
const fixtures = fileURLToPath(new URL('../../../test/fixtures/diffusion/', import.meta.url));
const folder = (name: string) => join(fixtures, name);

interface Reference {
  prompt: string;
  negative: string;
  steps: number;
  guidance: number;
  strength?: number;
  timesteps: number[];
  noise: number[];
  trail: number[][];
  width: number;
  height: number;
  input?: number[];
  mask?: number[];
}
const read = (name: string, task: string): Reference =>
  JSON.parse(readFileSync(join(folder(name), `${task}.json`), 'utf8'));
function pictureOf(name: string, task: string): Float32Array {
  const bytes = readFileSync(join(folder(name), `${task}.f32`));
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

async function withEngine<Result>(
  options: { name: string; threads?: number; steps?: number; scheduler?: string },
  use: (engine: DiffusionEngine) => Promise<Result>,
): Promise<Result> {
  const { name, threads = 1, ...rest } = options;
  const engine = await openDiffusionEngine({ folder: folder(name), threads, ...rest });
  return use(engine).finally(engine.close);
}

describe.each([
  ['sd15', 'text-to-image'],
  ['sd15', 'image-to-image'],
  ['sd21-v', 'text-to-image'],
  ['inpainting', 'inpainting'],
  ['sdxl', 'text-to-image'],
])('%s, %s', (name, task) => {
  it("takes PyTorch's steps from the same noise, and paints its picture to 1e-3", async () => {
    const reference = read(name, task);
    const { prompt, negative, guidance, steps, strength, width, height, input, mask } = reference;
    const trail: Latent[] = [];
    const request: PaintRequest = {
      prompt,
      negative,
      guidance,
      steps,
      strength,
      width,
      height,
      seed: [0],
      noise: Float64Array.from(reference.noise),
      ...(input && { image: createRaster(width, height, Uint8Array.from(input)) }),
      ...(mask && {
        keep: createMask(
          width,
          height,
          Uint8Array.from(mask, (paint) => (paint ? 0 : 255)),
        ),
      }),
      onStep: (_share, latent) => trail.push(latent),
    };
    const { planes, image } = await withEngine({ name }, (engine) => engine.paint(request));
    expect(trail).toHaveLength(reference.trail.length);
    trail.forEach((latent, step) => {
      const wanted = reference.trail[step];
      const largest = Math.max(...wanted.map(Math.abs));
      expect(latent).toHaveLength(wanted.length);
      expect(Math.max(...latent.map((value, i) => Math.abs(value - wanted[i]))) / largest).toBeLessThan(1e-3);
    });
    const picture = pictureOf(name, task);
    expect(planes.data).toHaveLength(picture.length);
    const apart = picture.map((level, i) => Math.abs(Math.min(1, Math.max(0, (planes.data[i] + 1) / 2)) - level));
    expect(apart.reduce((most, one) => Math.max(most, one))).toBeLessThan(1e-3);
    expect([image.width, image.height]).toEqual([width, height]);
  });
});

describe('a picture', () => {
  const request: PaintRequest = { prompt: 'a photo of the beach', negative: 'people', seed: [5, 'cat.jpg'] };

  it('is the same to the bit with one thread and with two, and after others were painted', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map((threads) =>
        withEngine({ name: 'sd15', threads, steps: 3 }, async (engine) => {
          if (threads === 2) await engine.paint({ ...request, seed: [77] });
          return engine.paint(request);
        }),
      ),
    );
    expect(Buffer.compare(one.image.data, two.image.data)).toBe(0);
  });

  it('changes with its seed, its prompt, its negative prompt and its scheduler', async () => {
    const paint = (scheduler: string, changes: readonly Partial<PaintRequest>[] = [{}]) =>
      withEngine({ name: 'sd15', steps: 3, scheduler }, async (engine) => {
        const pictures = [];
        for (const change of changes) pictures.push(await engine.paint({ ...request, ...change }));
        return pictures;
      });
    const changes = [{}, { seed: [6, 'cat.jpg'] }, { prompt: 'a red brick wall' }, { negative: 'fog' }];
    const pictures = [await paint('ddim', changes)];
    for (const scheduler of ['ddpm', 'euler', 'dpm-solver++', 'lcm']) pictures.push(await paint(scheduler));
    const bytes = pictures.flat().map(({ image }) => Buffer.from(image.data).toString('base64'));
    expect(bytes).toHaveLength(8);
    expect(new Set(bytes).size).toBe(bytes.length);
  });

  it('comes at any size and shape asked for', async () => {
    await withEngine({ name: 'sd15', steps: 1 }, async (engine) => {
      for (const [width, height] of [
        [97, 41],
        [1, 1],
        [64, 1],
      ]) {
        const { image } = await engine.paint({ ...request, width, height });
        expect([image.width, image.height, image.data.length]).toEqual([width, height, width * height * 3]);
      }
    });
  });

  it('can be broken off between two steps', async () => {
    const controller = new AbortController();
    await withEngine({ name: 'sd15', steps: 4 }, async (engine) => {
      const painting = engine.paint({ ...request, signal: controller.signal, onStep: () => controller.abort() });
      await expect(painting).rejects.toThrow(/abort/i);
      await engine.paint({ ...request });
    });
  });
});

describe('a folder that cannot be used says why in one line', () => {
  const broken = (change: (copy: string) => void) => {
    const copy = mkdtempSync(join(tmpdir(), 'diffusion-'));
    cpSync(folder('sd15'), copy, { recursive: true });
    change(copy);
    return openDiffusionEngine({ folder: copy, threads: 1 });
  };
  const json = (copy: string, file: string, change: Record<string, unknown>) => {
    const path = join(copy, file);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
  };

  it.each([
    [
      'no diffusion model',
      (copy: string) => rmSync(join(copy, 'model_index.json')),
      /is not a diffusion model: it has no model_index.json/,
    ],
    [
      'another pipeline',
      (copy: string) => json(copy, 'model_index.json', { _class_name: 'FluxPipeline' }),
      /is of a FluxPipeline; Stable Diffusion/,
    ],
    [
      'a missing part',
      (copy: string) => rmSync(join(copy, 'unet/model.onnx')),
      /has no unet\/model.onnx; a diffusion folder has/,
    ],
    ['no tokenizer', (copy: string) => rmSync(join(copy, 'tokenizer'), { recursive: true }), /has no folder tokenizer/],
    [
      'no scheduler',
      (copy: string) => rmSync(join(copy, 'scheduler/scheduler_config.json')),
      /has no scheduler\/scheduler_config.json/,
    ],
    [
      'an unknown scheduler',
      (copy: string) => json(copy, 'scheduler/scheduler_config.json', { _class_name: 'HeunDiscreteScheduler' }),
      /asks for the scheduler 'HeunDiscreteScheduler'/,
    ],
    [
      'a damaged file',
      (copy: string) => writeFileSync(join(copy, 'vae_decoder/model.onnx'), 'not a model'),
      /vae_decoder.*cannot be loaded/,
    ],
    [
      'PyTorch weights alone',
      (copy: string) => {
        rmSync(join(copy, 'unet/model.onnx'));
        writeFileSync(join(copy, 'unet/diffusion_pytorch_model.safetensors'), '');
      },
      /only its PyTorch weights: convert it with optimum-cli/,
    ],
    [
      'words it does not know',
      (copy: string) => json(copy, 'model_index.json', { _sceneshift: { words: ['a', 'beach'] } }),
      undefined,
    ],
  ])('%s', async (_title, change, message) => {
    if (message) {
      const error = await broken(change).then(
        () => undefined,
        (found: Error) => found,
      );
      expect(error?.name).toBe('UserError');
      expect(error?.message).toMatch(message);
      expect(error?.message).not.toContain('\n');
    } else {
      const engine = await broken(change);
      await expect(engine.paint({ prompt: 'a beach hotel', seed: [1] })).rejects.toThrow(/does not know 'hotel'/);
      await engine.close();
    }
  });

  it('a scheduler of old folders has a stand-in, and the picture says so', async () => {
    const engine = await broken((copy) =>
      json(copy, 'scheduler/scheduler_config.json', { _class_name: 'PNDMScheduler', skip_prk_steps: true }),
    );
    const { warnings } = await engine.paint({ prompt: 'a beach', seed: [1], steps: 2 });
    expect(engine.settings.scheduler).toBe('dpm-solver++');
    expect(warnings).toEqual([expect.stringMatching(/PNDMScheduler is not among .* dpm-solver\+\+, .* stands in/)]);
    await engine.close();
  });

  it('an encoder is missed only where a picture is given', async () => {
    const engine = await broken((copy) => rmSync(join(copy, 'vae_encoder'), { recursive: true }));
    const request = { prompt: 'a beach', seed: [1], steps: 1 };
    await engine.paint(request);
    await expect(engine.paint({ ...request, image: createRaster(64, 64) })).rejects.toThrow(/has no vae_encoder/);
    await engine.close();
  });
});
