import { describe, expect, it } from 'vitest';
import { adviceOn, answersOf, makeChunks } from './chunks.ts';

const assignment = '0'.repeat(32);
const wanted = Array.from({ length: 500 }, () => [0, 1, 2, 3]);
const all = wanted.map((conditions, sampleIndex) => ({ sampleIndex, conditions }));

describe('chunks', () => {
  it('hold every missing answer once, the last ones smaller', () => {
    const chunks = makeChunks(assignment, { wanted, missing: all }, { answersPerChunk: 100 });
    expect(chunks.flatMap(({ work = [] }) => work.map(({ sampleIndex }) => sampleIndex))).toEqual([...wanted.keys()]);
    expect(chunks.reduce((sum, chunk) => sum + answersOf(chunk), 0)).toBe(2000);
    expect([answersOf(chunks[0]), answersOf(chunks.at(-1) as never)]).toEqual([100, 20]);
    expect(new Set(chunks.map(({ name }) => name)).size).toBe(chunks.length);
  });

  it('planned again when a part is done, the others keep their names', () => {
    const chunks = makeChunks(assignment, { wanted, missing: all }, { answersPerChunk: 100 });
    const done = new Set((chunks[3].work ?? []).map(({ sampleIndex }) => sampleIndex));
    const missing = all.filter(({ sampleIndex }) => !done.has(sampleIndex));
    const again = makeChunks(assignment, { wanted, missing }, { answersPerChunk: 100 });
    expect(again.map(({ name }) => name)).toEqual(chunks.filter((_, i) => i !== 3).map(({ name }) => name));
  });

  it('one that takes too long is told of, with a size that does not', () => {
    const [chunk] = makeChunks(assignment, { wanted, missing: all }, { answersPerChunk: 100 });
    expect(adviceOn(chunk, 59)).toBeUndefined();
    expect(adviceOn(chunk, 125)).toMatch(/^a chunk of 100 answers took 125 s, .*; --chunk 4 makes it about 5 s$/);
    // No chunk is smaller than a sample.
    expect(adviceOn({ ...chunk, work: chunk.work?.slice(0, 1) }, 125)).toBeUndefined();
  });

  it('nothing missing, no chunks', () => {
    expect(makeChunks(assignment, { wanted, missing: [] })).toEqual([]);
    expect(makeChunks(assignment, { wanted: [], missing: [] })).toEqual([]);
  });
});
