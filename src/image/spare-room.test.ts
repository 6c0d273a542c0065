import { describe, expect, it } from 'vitest';
import { giveBackRoom, roomFor } from './spare-room.ts';

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

  it('keeps a few, the latest', () => {
    const rooms = Array.from({ length: 20 }, (_, i) => new Uint8Array(500 + i));
    for (const room of rooms) giveBackRoom(room);
    expect(roomFor(500).buffer).not.toBe(rooms[0].buffer);
    expect(roomFor(519).buffer).toBe(rooms[19].buffer);
  });
});
