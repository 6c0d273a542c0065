import { markAsUntransferable } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';

// Rooms of its own: test files of one process share their modules, and what others gave back would be among the largest.
vi.resetModules();
const { giveBackRoom, roomFor } = await import('./spare-room.ts');

describe('spare room', () => {
  it('is handed out again once it came back, to one asker only', () => {
    const first = roomFor(1234);
    expect(roomFor(1234).buffer).not.toBe(first.buffer);
    giveBackRoom(first);
    giveBackRoom(first);
    const again = roomFor(1234);
    expect(again.buffer).toBe(first.buffer);
    expect(again).toHaveLength(1234);
    expect(roomFor(1234).buffer).not.toBe(first.buffer);
  });

  it('takes whole buffers alone, and those that are still here', () => {
    const whole = new Uint8Array(4321);
    giveBackRoom(whole.subarray(0, 100));
    expect(roomFor(100).buffer).not.toBe(whole.buffer);
    giveBackRoom(new Uint8Array(new SharedArrayBuffer(77)));
    expect(roomFor(77).buffer).toBeInstanceOf(ArrayBuffer);
    const sent = new Uint8Array(99);
    structuredClone(sent.buffer, { transfer: [sent.buffer] });
    giveBackRoom(sent);
    expect(roomFor(99)).toHaveLength(99);
  });

  it('serves a smaller picture too, whose bytes are its beginning; not one of half its size', () => {
    const large = roomFor(90_000);
    giveBackRoom(large);
    expect(roomFor(45_000).buffer).not.toBe(large.buffer);
    const smaller = roomFor(60_000);
    expect([smaller.buffer, smaller.byteOffset, smaller.length]).toEqual([large.buffer, 0, 60_000]);
    giveBackRoom(smaller.subarray(0, 30_000));
    expect(roomFor(60_000).buffer).not.toBe(large.buffer);
    giveBackRoom(smaller);
    expect(roomFor(90_000).buffer).toBe(large.buffer);
  });

  it('keeps a few, the largest, and frees the others', () => {
    const rooms = Array.from({ length: 20 }, (_, i) => new Uint8Array(500_000 + i));
    for (const room of rooms) giveBackRoom(room);
    expect(rooms.map(({ byteLength }) => byteLength > 0)).toEqual(rooms.map((_, i) => i >= 12));
    expect(roomFor(500_019).buffer).toBe(rooms[19].buffer);
    expect(roomFor(400_000).buffer).toBe(rooms[12].buffer);
  });

  it('leaves alone what Node keeps for a library', () => {
    const kept = Array.from({ length: 9 }, () => new Uint8Array(9_000_000));
    for (const { buffer } of kept) markAsUntransferable(buffer);
    for (const room of kept) giveBackRoom(room);
    expect(kept.every(({ byteLength }) => byteLength === 9_000_000)).toBe(true);
  });
});
