import { UserError } from '../../../contracts/errors.ts';
import type { DiffusionFolder } from '../folder.ts';
import { type Network, openNetwork, type TensorValues } from '../network.ts';
import type { PromptTokenizer } from './tokenizer.ts';

/** A prompt as the UNet takes it. */
export interface Conditioning {
  /** [1, tokens, width] */
  readonly hidden: TensorValues;
  /** SDXL: the whole prompt as one vector, [1, width]. */
  readonly pooled?: TensorValues;
  readonly warnings: readonly string[];
}

export interface TextEncoder {
  encode(prompt: string): Promise<Conditioning>;
  close(): Promise<void>;
}

interface Half {
  readonly network: Network;
  readonly tokenizer: PromptTokenizer;
  readonly file: string;
}

/** One encoder (Stable Diffusion) or two, joined (SDXL). Prompts are kept, as most are asked for many times. */
export async function openTextEncoder(folder: DiffusionFolder, { threads }: { threads: number }): Promise<TextEncoder> {
  // Its library is loaded where there is text.
  const { openPromptTokenizer } = await import('./tokenizer.ts');
  const halves: Half[] = [];
  for (const { encoder, tokenizer } of folder.text) {
    const network = await openNetwork(encoder, { threads });
    const fixed = network.inputs.get('input_ids')?.shape[1];
    const maxTokens = typeof fixed === 'number' ? fixed : undefined;
    halves.push({
      network,
      tokenizer: openPromptTokenizer(tokenizer, { maxTokens, words: folder.words }),
      file: encoder,
    });
  }
  const known = new Map<string, Promise<Conditioning>>();
  const encode = async (prompt: string): Promise<Conditioning> => {
    const parts = [];
    for (const half of halves) parts.push(await encodeHalf(half, prompt, folder.xl));
    const warnings = [...new Set(parts.flatMap((part) => part.warnings))];
    return { hidden: join(parts.map(({ hidden }) => hidden)), pooled: parts.at(-1)?.pooled, warnings };
  };
  return {
    encode(prompt) {
      let made = known.get(prompt);
      if (!made) {
        if (known.size > 256) known.clear();
        known.set(prompt, (made = encode(prompt)));
        made.catch(() => known.delete(prompt));
      }
      return made;
    },
    close: async () => {
      await Promise.all(halves.map(({ network }) => network.close()));
    },
  };
}

async function encodeHalf({ network, tokenizer, file }: Half, prompt: string, xl: boolean) {
  const { ids, warnings } = tokenizer.encode(prompt);
  const feeds: Record<string, TensorValues> = { input_ids: { data: ids, dims: [1, ids.length] } };
  if (!network.inputs.has('input_ids')) throw new UserError(`${file} has no input input_ids; it is not a text encoder`);
  if (network.inputs.has('attention_mask')) feeds.attention_mask = { data: ids.map(() => 1), dims: [1, ids.length] };
  const names = network.outputs.map(({ name }) => name);
  const layers = names
    .filter((name) => /^hidden_states[._]\d+$/.test(name))
    .sort((a, b) => Number(a.match(/\d+$/)) - Number(b.match(/\d+$/)));
  // SDXL is trained on the layer before the last.
  const hiddenName = xl ? layers.at(-2) : (names.find((name) => name === 'last_hidden_state') ?? names[0]);
  if (!hiddenName)
    throw new UserError(
      `${file} has no outputs hidden_states.N, of which SDXL takes the one before the last; export it again with optimum`,
    );
  const pooledName = xl ? names.find((name) => name === 'text_embeds') : undefined;
  const [hidden, pooled] = await network.run(feeds, pooledName ? [hiddenName, pooledName] : [hiddenName]);
  return {
    warnings,
    hidden: { data: hidden, dims: [1, ids.length, hidden.length / ids.length] },
    pooled: pooled && { data: pooled, dims: [1, pooled.length] },
  };
}

/** Token by token, one encoder's numbers after the other's. */
function join(parts: readonly { data: ArrayLike<number>; dims: readonly number[] }[]): TensorValues {
  if (parts.length === 1) return parts[0];
  const tokens = parts[0].dims[1];
  const width = parts.reduce((sum, { dims }) => sum + dims[2], 0);
  const data = new Float32Array(tokens * width);
  let offset = 0;
  for (const { data: own, dims } of parts) {
    for (let t = 0; t < tokens; t++)
      for (let k = 0; k < dims[2]; k++) data[t * width + offset + k] = own[t * dims[2] + k];
    offset += dims[2];
  }
  return { data, dims: [1, tokens, width] };
}
