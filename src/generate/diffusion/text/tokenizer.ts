import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { UserError } from '../../../contracts/errors.ts';
import { nearest } from '../../../contracts/nearest.ts';
import { tokenizerJsonOf } from './clip-vocabulary.ts';

export interface Tokens {
  /** Cut or filled up to the length the encoder takes. */
  readonly ids: readonly number[];
  /** Parts of the prompt that are cut off or read as unknown words. */
  readonly warnings: readonly string[];
}

export interface PromptTokenizer {
  encode(prompt: string): Tokens;
  /** The ids as they are, start and end included. */
  encodeWhole(prompt: string): readonly number[];
}

/** Other programs read these as weights, mixtures or attachments; the tokenizer reads letters. */
const weights = /\([^()]*:\s*-?\d*\.?\d+\s*\)|\(\(|\[\[|\[[^\]]*:[^\]]*\]|\bAND\b|<[a-z]+:[^>]*>/;

interface TokenizerOptions {
  /** The length the encoder takes, where it is fixed. */
  readonly maxTokens?: number;
  /** All words that the model has seen in training, where they are so few that others mean nothing to it. */
  readonly words?: readonly string[];
}

/** The tokenizer of a diffusion folder, from its `tokenizer` or `tokenizer_2`. */
export function openPromptTokenizer(folder: string, { maxTokens, words }: TokenizerOptions = {}): PromptTokenizer {
  const json = tokenizerJsonOf(folder) as { readonly padding?: { readonly pad_id?: number } | null };
  const settings = { ...optional(folder, 'special_tokens_map.json'), ...optional(folder, 'tokenizer_config.json') };
  const tokenizer = new Tokenizer(json, settings);
  const idOf = (name: string): number | undefined => {
    const token = settings[name] as string | { content?: string } | undefined;
    return tokenizer.token_to_id((typeof token === 'string' ? token : token?.content) ?? '');
  };
  const end = idOf('eos_token') ?? tokenizer.token_to_id('<|endoftext|>');
  const pad = json.padding?.pad_id ?? idOf('pad_token') ?? end ?? 0;
  const length = maxTokens ?? limitOf(settings.model_max_length) ?? 77;
  const known = words && new Set(words.map((word) => word.toLowerCase()));
  const encodeWhole = (prompt: string): number[] => tokenizer.encode(prompt).ids;
  return {
    encodeWhole,
    encode(prompt) {
      const strange = known ? wordsOf(prompt).filter((word) => !known.has(word)) : [];
      if (strange.length) throw unknownWords([...new Set(strange)], words ?? []);
      const whole = encodeWhole(prompt);
      const warnings: string[] = [];
      if (weights.test(prompt))
        warnings.push('brackets and weights in a prompt are read as plain text, here as by the model itself');
      const cut = whole.length > length;
      const ids = cut ? [...whole.slice(0, length - 1), end ?? whole[length - 1]] : [...whole];
      if (cut) {
        const lost = tokenizer.decode(whole.slice(length - 1, -1), { skip_special_tokens: true }).trim();
        warnings.push(
          `the prompt is longer than the ${length} tokens the model hears; it is cut before '${short(lost)}'`,
        );
      }
      while (ids.length < length) ids.push(pad);
      return { ids, warnings };
    },
  };
}

const wordsOf = (prompt: string): string[] =>
  prompt
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function unknownWords(strange: readonly string[], words: readonly string[]): UserError {
  const named = strange.slice(0, 5).map((word) => `'${short(word)}'`);
  const hints = [...new Set(strange.flatMap((word) => nearest(word, [...words]) ?? []))].slice(0, 5);
  const hint = hints.length ? `did you mean ${hints.join(', ')}?` : `it knows ${words.length} words`;
  return new UserError(`The model does not know ${named.join(', ')}; ${hint} (sceneshift generate --words lists them)`);
}

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** Absent limits are written as a number with thirty digits. */
const limitOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value < 1e6 ? value : undefined;

function optional(folder: string, name: string): Record<string, unknown> {
  const file = join(folder, name);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${(error as Error).message}`);
  }
}
