import { describe, expect, it } from 'vitest';
import type { Sample } from '../contracts/sample.ts';
import { readAhead } from './read-ahead.ts';
import type { LoadedSample, VariantMaker } from './variants.ts';

const samples = ['a', 'b', 'c'].map((id): Sample => ({ id, image: `${id}.jpg` }));

describe('readAhead', () => {
  const begun: string[] = [];
  const maker: VariantMaker = {
    async load({ id }) {
      begun.push(id);
      if (id === 'b') throw new Error('b is damaged');
      return { photograph: { name: id } } as unknown as LoadedSample;
    },
  };

  it('reads one photograph ahead, each once; a failure belongs to its own', async () => {
    const ahead = readAhead(maker, samples);
    expect(begun).toEqual(['a']);
    expect(await ahead.load(samples[0])).toEqual({ photograph: { name: 'a' } });
    expect(begun).toEqual(['a', 'b']);
    await expect(ahead.load(samples[1])).rejects.toThrow('b is damaged');
    expect(await ahead.load(samples[2])).toEqual({ photograph: { name: 'c' } });
    expect(begun).toEqual(['a', 'b', 'c']);
  });
});
