import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { UserError } from '../../contracts/errors.ts';
import { readJson } from '../record/beside.ts';

export interface TextBatch {
  readonly ids: number[][];
  readonly mask: number[][];
}

export interface TextOptions {
  /** The most tokens the encoder takes, its start and end included. */
  readonly maxTokens: number;
  /** Fill every text up to `maxTokens` (SigLIP), not only to the longest of the batch. */
  readonly padToMax: boolean;
}

/** A tokenizer.json read as Hugging Face's library reads it: same ids, cut and filled up as CLIP's encoder wants them. */
export function openTokenizer(folder: string): (texts: readonly string[], options: TextOptions) => TextBatch {
  const file = join(folder, 'tokenizer.json');
  if (!existsSync(file))
    throw new UserError(`${folder} has no tokenizer.json, which zero-shot models need for their prompts`);
  const configFile = join(folder, 'tokenizer_config.json');
  const json = readJson(file) as { padding?: { pad_id?: number } | null };
  const config = (existsSync(configFile) ? readJson(configFile) : {}) as Record<string, unknown>;
  const tokenizer = new Tokenizer(json as object, config);
  const tokenOf = (name: string): string | undefined => {
    const token = config[name];
    return typeof token === 'string' ? token : (token as { content?: string } | undefined)?.content;
  };
  const idOf = (token: string | undefined) => (token === undefined ? undefined : tokenizer.token_to_id(token));
  const end = idOf(tokenOf('eos_token')) ?? idOf('<|endoftext|>') ?? idOf('</s>');
  const pad = json.padding?.pad_id ?? idOf(tokenOf('pad_token')) ?? end ?? 0;

  return (texts, { maxTokens, padToMax }) => {
    const encoded = texts.map((text) => {
      const { ids } = tokenizer.encode(text);
      if (ids.length <= maxTokens) return ids;
      const cut = ids.slice(0, maxTokens);
      // The text's meaning is read off at the end token, so it stays.
      if (end !== undefined && ids.at(-1) === end) cut[maxTokens - 1] = end;
      return cut;
    });
    const length = padToMax ? maxTokens : Math.max(1, ...encoded.map((ids) => ids.length));
    const fill = (list: readonly number[], value: number) => [...list, ...new Array(length - list.length).fill(value)];
    return {
      ids: encoded.map((ids) => fill(ids, pad)),
      mask: encoded.map((ids) =>
        fill(
          ids.map(() => 1),
          0,
        ),
      ),
    };
  };
}
