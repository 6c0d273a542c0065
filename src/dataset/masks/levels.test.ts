import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { histogram, lookUp } from './levels.ts';

/** Runs of a few levels, as masks have them, at any place in a buffer and of any length. */
const plane = fc
  .record({
    runs: fc.array(fc.tuple(fc.constantFrom(0, 1, 2, 3, 128, 200, 255), fc.integer({ min: 1, max: 9 })), {
      maxLength: 30,
    }),
    offset: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ runs, offset }) => {
    const bytes = runs.flatMap(([level, count]) => Array<number>(count).fill(level));
    const buffer = new Uint8Array(offset + bytes.length + 3).fill(77);
    buffer.set(bytes, offset);
    return buffer.subarray(offset, offset + bytes.length);
  });

describe('levels of a mask', () => {
  it('are counted as one by one', () => {
    fc.assert(
      fc.property(plane, (levels) => {
        const expected = new Uint32Array(256);
        for (const level of levels) expected[level]++;
        expect(histogram(levels)).toEqual(expected);
      }),
    );
  });

  it('are translated as one by one, and nothing beside them', () => {
    const table = Uint8Array.from({ length: 256 }, (_, level) => 255 - ((level * 7) & 255));
    fc.assert(
      fc.property(plane, fc.integer({ min: 0, max: 4 }), (levels, offset) => {
        const room = new Uint8Array(levels.length + offset + 4).fill(9);
        lookUp(levels, table, room.subarray(offset, offset + levels.length));
        expect([...room]).toEqual([
          ...Array<number>(offset).fill(9),
          ...Array.from(levels, (level) => table[level]),
          ...Array<number>(4).fill(9),
        ]);
      }),
    );
  });
});
