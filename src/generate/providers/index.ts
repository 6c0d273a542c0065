import { UserError } from '../../contracts/errors.ts';
import type { Provider } from '../provider.ts';
import { automatic1111 } from './automatic1111.ts';
import { type ComfyOptions, comfyui } from './comfyui.ts';
import { commandProvider } from './command.ts';
import { folderProvider } from './folder.ts';
import type { HttpProviderOptions } from './http-provider.ts';
import { huggingFace } from './hugging-face.ts';
import { openaiImages } from './openai.ts';
import { replicate } from './replicate.ts';
import { stability } from './stability.ts';

/** Services over HTTP by their names; each takes an address, a model and settings of its own. */
export const httpProviders: Readonly<Record<string, (options: HttpProviderOptions & ComfyOptions) => Provider>> = {
  automatic1111,
  comfyui,
  openai: openaiImages,
  stability,
  replicate,
  'hugging-face': huggingFace,
};

export type ProviderChoice =
  | { readonly kind: 'http'; readonly id: string }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'diffusion'; readonly folder?: string };

/** Reads `--provider`: a service's name, `folder:DIR`, `command:PROGRAM …`, `diffusion` or `diffusion:DIR`. */
export function readProvider(text: string): ProviderChoice {
  const colon = text.indexOf(':');
  const [id, rest] = colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)];
  if (id === 'folder' && rest) return { kind: 'folder', folder: rest };
  if (id === 'command' && rest) return { kind: 'command', line: rest };
  if (id === 'diffusion') return { kind: 'diffusion', folder: rest || undefined };
  if (id in httpProviders && rest === undefined) return { kind: 'http', id };
  const known = [...Object.keys(httpProviders), 'diffusion', 'diffusion:DIR', 'folder:DIR', "command:'PROGRAM …'"];
  throw new UserError(`Expected one of ${known.join(', ')} for --provider but received '${text}'`);
}

export { commandProvider, folderProvider };
