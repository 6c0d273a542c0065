import { UserError } from '../../contracts/errors.ts';

/** A ComfyUI graph as its "Save (API format)" writes it. */
export type Workflow = Readonly<
  Record<string, { readonly class_type: string; readonly inputs: Readonly<Record<string, unknown>> }>
>;

/** Text to picture, or painting around an object, with nothing but ComfyUI's own nodes. */
export function defaultWorkflow({
  checkpoint,
  edit,
}: {
  checkpoint: string;
  edit: 'none' | 'image' | 'mask';
}): Workflow {
  const latent: Workflow =
    edit === 'none'
      ? { latent: { class_type: 'EmptyLatentImage', inputs: { width: '{width}', height: '{height}', batch_size: 1 } } }
      : {
          image: { class_type: 'LoadImage', inputs: { image: '{image}' } },
          ...(edit === 'mask'
            ? {
                mask: { class_type: 'LoadImageMask', inputs: { image: '{mask}', channel: 'red' } },
                latent: {
                  class_type: 'VAEEncodeForInpaint',
                  inputs: { pixels: ['image', 0], vae: ['model', 2], mask: ['mask', 0], grow_mask_by: 6 },
                },
              }
            : { latent: { class_type: 'VAEEncode', inputs: { pixels: ['image', 0], vae: ['model', 2] } } }),
        };
  return {
    model: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: checkpoint } },
    positive: { class_type: 'CLIPTextEncode', inputs: { text: '{prompt}', clip: ['model', 1] } },
    negative: { class_type: 'CLIPTextEncode', inputs: { text: '{negative}', clip: ['model', 1] } },
    ...latent,
    sample: {
      class_type: 'KSampler',
      inputs: {
        model: ['model', 0],
        positive: ['positive', 0],
        negative: ['negative', 0],
        latent_image: ['latent', 0],
        seed: '{seed}',
        steps: '{steps}',
        cfg: '{cfg}',
        sampler_name: 'euler',
        scheduler: 'normal',
        denoise: '{strength}',
      },
    },
    decode: { class_type: 'VAEDecode', inputs: { samples: ['sample', 0], vae: ['model', 2] } },
    save: { class_type: 'SaveImage', inputs: { images: ['decode', 0], filename_prefix: 'sceneshift' } },
  };
}

/** Puts values where the graph has `{name}`; a number stays a number where the hole is the whole text. */
export function fillWorkflow(workflow: Workflow, values: Readonly<Record<string, string | number>>): Workflow {
  let prompted = false;
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'string') return value;
    const whole = /^\{(\w+)\}$/.exec(value)?.[1];
    if (whole !== undefined && whole in values) {
      prompted ||= whole === 'prompt';
      return values[whole];
    }
    return value.replaceAll(/\{(\w+)\}/g, (hole, name: string) => {
      prompted ||= name === 'prompt';
      return name in values ? String(values[name]) : hole;
    });
  };
  const filled = Object.fromEntries(
    Object.entries(workflow).map(([id, { class_type, inputs }]) => [
      id,
      { class_type, inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, fill(value)])) },
    ]),
  );
  if (!prompted)
    throw new UserError('The ComfyUI workflow has no {prompt} in any of its texts; write it where the prompt goes');
  return filled;
}

/** The files of weights that a graph loads, by the names ComfyUI has for them. */
export const checkpointsOf = (workflow: Workflow): string =>
  Object.values(workflow)
    .flatMap(({ inputs }) => ['ckpt_name', 'unet_name', 'lora_name'].map((name) => inputs[name]))
    .filter((name): name is string => typeof name === 'string')
    .join(', ');
