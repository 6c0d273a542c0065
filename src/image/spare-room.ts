import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';

/**
 * Buffers of pictures that are no longer in use. Fresh memory for every variant makes the garbage collector look
 * through the whole heap again and again, which costs more than most edits.
 */
const spares: ArrayBuffer[] = [];
const mostSpares = 8;

/** How much of a buffer is in use: it may have been made for a larger picture. */
const used = new WeakMap<ArrayBufferLike, number>();

/** Bytes at the beginning of a buffer of their own, not cleared: clearing costs as much as copying. */
export function roomFor(length: number): Uint8Array<ArrayBuffer> {
  let best: ArrayBuffer | undefined;
  for (const spare of spares)
    if (spare.byteLength >= length && spare.byteLength < Math.min(2 * length, best?.byteLength ?? Infinity))
      best = spare;
  if (best) spares.splice(spares.indexOf(best), 1);
  const room = best ?? (Buffer.allocUnsafeSlow(length).buffer as ArrayBuffer);
  if (room.byteLength !== length) used.set(room, length);
  else used.delete(room);
  return new Uint8Array(room, 0, length);
}

/** A copy in a room. */
export function inRoom(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const room = roomFor(data.length);
  room.set(data);
  return room;
}

/** To be called only by the maker of a picture that nobody else holds: the next one is written over it. */
export function giveBackRoom({ buffer, byteLength }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || byteLength === 0) return;
  if (byteLength !== (used.get(buffer) ?? buffer.byteLength) || spares.includes(buffer)) return;
  spares.push(buffer);
  if (spares.length <= mostSpares) return;
  const smallest = spares.reduce((a, b) => (b.byteLength < a.byteLength ? b : a));
  spares.splice(spares.indexOf(smallest), 1);
  free(smallest);
}

let ports: MessageChannel | undefined;

/**
 * A buffer that has lived for a while is freed only when the whole heap is looked through, hundreds of pictures later.
 * Handed over, its memory belongs to a new object, which goes with the next of the frequent small collections.
 */
function free(buffer: ArrayBuffer): void {
  ports ??= new MessageChannel();
  try {
    ports.port1.postMessage(undefined, [buffer]);
    receiveMessageOnPort(ports.port2);
  } catch {
    // A library's own memory cannot be handed over.
  }
}
