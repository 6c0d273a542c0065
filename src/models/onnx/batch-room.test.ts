import { describe, expect, it } from 'vitest';
import { fixture, pattern } from '../../../test/fixtures/models/pattern.ts';
import type { Prepared } from '../define.ts';
import { openModel } from '../open.ts';
import { createBatchRoom, joined } from './batch-room.ts';

const take = (room: ReturnType<typeof createBatchRoom>, value: number): Prepared => {
  const picture = room.next() ?? new Float32Array(3);
  picture.fill(value);
  room.made(picture);
  return picture;
};

describe('room for a batch', () => {
  it('lays pictures one after another, and is used again when all of them are back', () => {
    const room = createBatchRoom(3);
    const first = [take(room, 0), take(room, 1)];
    expect(joined(first, 3)).toBeUndefined();
    room.takeBack(first);
    const batch = [3, 4, 5].map((value) => take(room, value));
    expect(joined(batch, 3)).toEqual(Float32Array.of(3, 3, 3, 4, 4, 4, 5, 5, 5));
    expect(joined([batch[1], batch[0]], 3)).toBeUndefined();
    expect(joined(batch.slice(1), 3)).toEqual(Float32Array.of(4, 4, 4, 5, 5, 5));
    const kept = take(room, 6);
    room.takeBack(batch);
    const others = [7, 8, 9, 10, 11].map((value) => take(room, value));
    // Nothing that is still held is written over.
    expect([kept, ...others].map(([first]) => first)).toEqual([6, 7, 8, 9, 10, 11]);
    expect(others[2].buffer).toBe(batch[0].buffer);
  });

  it('gives the same answers as pictures gathered from anywhere', async () => {
    const model = await openModel(fixture('nchw.onnx'));
    const images = Array.from({ length: 19 }, (_, i) => pattern({ width: 40, height: 36, seed: i }));
    const questions = images.map((_, i) => ({ sample: `${i}`, scenario: 'original', width: 40, height: 36 }));
    const prepared = await Promise.all(images.map((image) => model.prepare(image)));
    const apart = prepared.map((numbers) => numbers.slice());
    const answers = await model.answer(prepared, questions);
    expect(answers).toEqual(await model.answer(apart, questions));
    model.recycle?.(prepared);
    const again = await Promise.all(images.map((image) => model.prepare(image)));
    expect(await model.answer(again, questions)).toEqual(answers);
    await model.close();
  });
});
