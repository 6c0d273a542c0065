import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { UserError } from '../../../contracts/errors.ts';
import { nearest } from '../../../contracts/nearest.ts';
import { tokenizerJsonOf } from './clip-vocabulary.ts';

export interface Tokens {
  /** Cut or filled up to the length the encoder takes. */
  readonly ids: readonly number[];
  /** What of the prompt is not heard, or not as its writer may mean it. */
  readonly warnings: readonly string[];
}

export interface PromptTokenizer {
  encode(prompt: string): Tokens;
  /** The ids as they are, start and end included. */
  encodeWhole(prompt: string): readonly number[];
  /** Every word, where the vocabulary is one of whole words. */
  readonly words?: readonly string[];
}

interface TokenizerJson {
  readonly padding?: { readonly pad_id?: number } | null;
  readonly model?: {
    readonly type?: string;
    readonly vocab?: Record<string, number>;
    readonly unk_token?: string;
  };
}

/** Other programs read these as weights, mixtures or attachments; the tokenizer reads letters. */
const weights = /\([^()]*:\s*-?\d*\.?\d+\s*\)|\(\(|\[\[|\[[^\]]*:[^\]]*\]|\bAND\b|<[a-z]+:[^>]*>/;

/** What both kinds of vocabulary come to. */
interface Reader {
  idOf(token: string): number | undefined;
  /** Start and end included. */
  read(prompt: string): number[];
  write(ids: number[]): string;
  readonly words?: readonly string[];
}

/** The tokenizer of a diffusion folder, from its `tokenizer` or `tokenizer_2`. */
export function openPromptTokenizer(folder: string, { maxTokens }: { maxTokens?: number } = {}): PromptTokenizer {
  const json = tokenizerJsonOf(folder) as TokenizerJson;
  const settings = { ...optional(folder, 'special_tokens_map.json'), ...optional(folder, 'tokenizer_config.json') };
  const tokenOf = (name: string): string | undefined => {
    const token = settings[name] as string | { content?: string } | undefined;
    return typeof token === 'string' ? token : token?.content;
  };
  const vocab = json.model?.vocab;
  const reader =
    json.model?.type === 'WordLevel' && vocab
      ? wordReader(vocab, { start: tokenOf('bos_token'), end: tokenOf('eos_token'), unknown: json.model.unk_token })
      : pairReader(json, settings);
  const idOf = (name: string) => reader.idOf(tokenOf(name) ?? '');
  const end = idOf('eos_token') ?? reader.idOf('<|endoftext|>');
  const pad = json.padding?.pad_id ?? idOf('pad_token') ?? end ?? 0;
  const length = maxTokens ?? limitOf(settings.model_max_length) ?? 77;
  return {
    words: reader.words,
    encodeWhole: reader.read,
    encode(prompt) {
      const whole = reader.read(prompt);
      const warnings: string[] = [];
      if (weights.test(prompt))
        warnings.push('brackets and weights in a prompt are read as plain text, here as by the model itself');
      const cut = whole.length > length;
      const ids = cut ? [...whole.slice(0, length - 1), end ?? whole[length - 1]] : [...whole];
      if (cut) {
        const lost = reader.write(whole.slice(length - 1, -1)).trim();
        warnings.push(
          `the prompt is longer than the ${length} tokens the model hears; it is cut before '${short(lost)}'`,
        );
      }
      while (ids.length < length) ids.push(pad);
      return { ids, warnings };
    },
  };
}

/** CLIP's own kind: byte-level pairs, a token for everything. */
function pairReader(json: object, settings: object): Reader {
  const tokenizer = new Tokenizer(json, settings);
  return {
    idOf: (token) => tokenizer.token_to_id(token),
    read: (prompt) => tokenizer.encode(prompt).ids,
    write: (ids) => tokenizer.decode(ids, { skip_special_tokens: true }),
  };
}

/** A small model's kind: whole words, nothing else. Signs that are not in the vocabulary are passed over. */
function wordReader(
  vocab: Record<string, number>,
  { start, end, unknown }: { start?: string; end?: string; unknown?: string },
): Reader {
  const special = new Set([start, end, unknown]);
  const words = Object.keys(vocab).filter((word) => /^[\p{L}\p{N}]/u.test(word) && !special.has(word));
  const texts = new Map(Object.entries(vocab).map(([word, id]) => [id, word]));
  const around = (token: string | undefined) => (token !== undefined && token in vocab ? [vocab[token]] : []);
  return {
    words,
    idOf: (token) => vocab[token],
    read(prompt) {
      const parts =
        prompt
          .normalize('NFC')
          .toLowerCase()
          .match(/[\p{L}\p{N}]+(?:[-'][\p{L}\p{N}]+)*|[^\s]/gu) ?? [];
      const known = (word: string) => Object.hasOwn(vocab, word);
      const apart = parts.flatMap((part) => (known(part) ? [part] : part.split(/[-']/).filter(Boolean)));
      const strange = apart.filter((part) => /[\p{L}\p{N}]/u.test(part) && !known(part));
      if (strange.length) throw unknownWords([...new Set(strange)], words);
      return [...around(start), ...apart.filter(known).map((part) => vocab[part]), ...around(end)];
    },
    write: (ids) => ids.map((id) => texts.get(id)).join(' '),
  };
}

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
