import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../contracts/errors.ts';

/** How CLIP splits a text before it looks for pairs; Radford et al. (2021), as in their published tokenizer. */
const pieces = "<\\|startoftext\\|>|<\\|endoftext\\|>|'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+";

/**
 * A `tokenizer.json` for the two files that Stable Diffusion's folders have instead: `vocab.json` and `merges.txt`.
 */
export function tokenizerJsonOf(folder: string): object {
  const file = join(folder, 'tokenizer.json');
  if (existsSync(file)) return parse(file) as object;
  for (const name of ['vocab.json', 'merges.txt'])
    if (!existsSync(join(folder, name)))
      throw new UserError(`${folder} has no ${name}; a tokenizer has tokenizer.json, or vocab.json and merges.txt`);
  const vocab = parse(join(folder, 'vocab.json')) as Record<string, number>;
  const merges = readFileSync(join(folder, 'merges.txt'), 'utf8')
    .split('\n')
    .filter((line, i) => line.trim() && !(i === 0 && line.startsWith('#')))
    .map((line) => line.trimEnd().split(' '));
  const [start, end] = ['<|startoftext|>', '<|endoftext|>'];
  const special = [start, end].map((content) => ({
    id: vocab[content],
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'NFC' },
        { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' },
        { type: 'Lowercase' },
      ],
    },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: pieces }, behavior: 'Removed', invert: true },
        { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
      ],
    },
    post_processor: {
      type: 'RobertaProcessing',
      sep: [end, vocab[end]],
      cls: [start, vocab[start]],
      trim_offsets: false,
      add_prefix_space: false,
    },
    decoder: { type: 'ByteLevel' },
    model: {
      type: 'BPE',
      unk_token: end,
      continuing_subword_prefix: '',
      end_of_word_suffix: '</w>',
      fuse_unk: false,
      vocab,
      merges,
    },
  };
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${(error as Error).message}`);
  }
}
