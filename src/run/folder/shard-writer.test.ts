import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createShardWriter } from './shard-writer.ts';

const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ sample: String(i) })) as never[];

describe('createShardWriter', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const recording = () => {
    const written: string[] = [];
    const store = {
      async write(table: string, some: readonly unknown[]) {
        written.push(`${table} ${some.length}`);
      },
    };
    return { written, store: store as never };
  };

  it('writes a shard when there are enough rows, and the rest at the end', async () => {
    const { written, store } = recording();
    const writer = createShardWriter(store, { rows: 10 });
    writer.add({ predictions: rows(6), segmentation: rows(3) });
    writer.add({ predictions: rows(2) });
    writer.add({ predictions: rows(1), segmentation: [] });
    await writer.finish();
    expect(written).toEqual(['predictions 8', 'segmentation 3', 'predictions 1']);
  });

  it('takes any number of rows at once', async () => {
    const { written, store } = recording();
    const writer = createShardWriter(store);
    writer.add({ predictions: rows(200_000) });
    await writer.finish();
    expect(written).toEqual(['predictions 200000']);
  });

  it('writes what has waited for fifteen seconds', async () => {
    const { written, store } = recording();
    const writer = createShardWriter(store);
    writer.add({ predictions: rows(1) });
    await vi.advanceTimersByTimeAsync(9_000);
    writer.add({ predictions: rows(1) });
    await vi.advanceTimersByTimeAsync(5_900);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(written).toEqual(['predictions 2']);
    await writer.finish();
    expect(written).toEqual(['predictions 2']);
  });

  it('says what went wrong while it wrote', async () => {
    const full = {
      write: async () => {
        throw new Error('the disk is full');
      },
    };
    const writer = createShardWriter(full as never, { rows: 1 });
    writer.add({ predictions: rows(1) });
    await expect(writer.finish()).rejects.toThrow('the disk is full');
    expect(() => writer.add({ predictions: rows(1) })).toThrow('the disk is full');
  });
});
