import { encodeImage } from '../../image/encode.ts';
import type { Provider } from '../provider.ts';
import { type EngineOptions, openDiffusionEngine } from './engine.ts';

export interface DiffusionProvider extends Provider {
  /** Every word the model knows, where they are few. */
  readonly words?: readonly string[];
}

/** The engine as a provider: the embedded model, or any Stable Diffusion in ONNX form. */
export async function openDiffusionProvider(options: EngineOptions): Promise<DiffusionProvider> {
  const engine = await openDiffusionEngine(options);
  return {
    id: 'diffusion',
    identity: { model: engine.hash, ...engine.settings },
    words: engine.folder.words,
    async generate({ prompt, negative, seed, width, height, edit }, { signal, onProgress } = {}) {
      const { image, warnings } = await engine.paint({
        prompt,
        negative,
        seed: [seed],
        width,
        height,
        image: edit?.image,
        keep: edit?.keep,
        strength: edit?.strength,
        signal,
        onStep: onProgress,
      });
      return {
        bytes: await encodeImage(image, { format: 'png' }),
        format: 'png',
        provenance: {
          provider: 'diffusion',
          model: engine.folder.name,
          modelHash: engine.hash,
          version: engine.hash.slice(0, 12),
          prompt,
          ...(negative !== undefined && { negative }),
          seed,
          width: image.width,
          height: image.height,
          settings: { ...engine.settings, ...(edit && { strength: edit.strength ?? null }) },
          warnings,
        },
      };
    },
    close: engine.close,
  };
}
