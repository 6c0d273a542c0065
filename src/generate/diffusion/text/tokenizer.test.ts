import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPromptTokenizer, type PromptTokenizer } from './tokenizer.ts';

const fixtures = new URL('../../../../test/fixtures/', import.meta.url);
// Made by test/fixtures/diffusion/make_tokens.py.
const { cases } = JSON.parse(readFileSync(new URL('diffusion/tokens.json', fixtures), 'utf8')) as {
  cases: { prompt: string; ids: number[] }[];
};

let folder: string;
let tokenizer: PromptTokenizer;
beforeAll(() => {
  // The same vocabulary as the two files Stable Diffusion's folders have.
  const { model } = JSON.parse(readFileSync(new URL('models/clip/tokenizer.json', fixtures), 'utf8'));
  folder = mkdtempSync(join(tmpdir(), 'tokenizer-'));
  writeFileSync(join(folder, 'vocab.json'), JSON.stringify(model.vocab));
  const lines = (model.merges as string[][]).map((pair) => pair.join(' '));
  writeFileSync(join(folder, 'merges.txt'), `#version: 0.2\n${lines.join('\n')}\n`);
  writeFileSync(
    join(folder, 'tokenizer_config.json'),
    JSON.stringify({ model_max_length: 24, pad_token: '!', eos_token: { content: '<|endoftext|>' } }),
  );
  tokenizer = openPromptTokenizer(folder);
});

describe("CLIP's tokenizer", () => {
  it.each(cases.map(({ prompt, ids }) => [JSON.stringify(prompt).slice(0, 60), prompt, ids] as const))(
    'gives the reference ids for %s',
    (_, prompt, ids) => {
      expect(tokenizer.encodeWhole(prompt)).toEqual(ids);
    },
  );

  it("fills up with the folder's own padding token", () => {
    const { ids, warnings } = tokenizer.encode('a');
    expect(ids).toHaveLength(24);
    const start = tokenizer.encodeWhole('a');
    expect(ids.slice(0, start.length)).toEqual(start);
    expect(new Set(ids.slice(start.length)).size).toBe(1);
    expect(ids[23]).not.toBe(start.at(-1));
    expect(warnings).toEqual([]);
  });

  it('cuts a long prompt, keeps its end token and says what is lost', () => {
    const { ids, warnings } = tokenizer.encode('photo '.repeat(40));
    expect(ids).toHaveLength(24);
    expect(ids[23]).toBe(tokenizer.encodeWhole('').at(-1));
    expect(warnings).toEqual([expect.stringMatching(/longer than the 24 tokens .* cut before 'photo photo/)]);
  });

  it('says that weights in brackets are plain text, and nothing of plain brackets', () => {
    for (const prompt of ['a (snowy:1.3) street', '((forest))', '[day:night:0.5]', 'sea AND sky', '<lora:x:1>'])
      expect(tokenizer.encode(prompt).warnings[0]).toMatch(/read as plain text/);
    expect(tokenizer.encode('a street (at night)').warnings).toEqual([]);
  });

  it('says which of its files is missing', () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty, { recursive: true });
    expect(() => openPromptTokenizer(empty)).toThrow(/has no vocab.json; a tokenizer has tokenizer.json, or/);
  });
});

describe('a model of few words', () => {
  it('names the words it does not know and what may be meant', () => {
    const few = openPromptTokenizer(folder, { words: ['a', 'snowy', 'street', 'beach'] });
    expect(few.encode('A Snowy street, a beach').ids.slice(0, 9)).toEqual(
      tokenizer.encode('A Snowy street, a beach').ids.slice(0, 9),
    );
    expect(few.encode('').ids).toHaveLength(24);
    expect(() => few.encode('a stret by the beach')).toThrow(
      /does not know 'stret', 'by', 'the'; did you mean street.*--words lists them/,
    );
  });
});
