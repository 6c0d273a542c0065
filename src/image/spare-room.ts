/**
 * Buffers of pictures that are no longer in use. Fresh memory for every variant makes the garbage collector look
 * through the whole heap again and again, which costs more than most edits.
 */
const spares: ArrayBuffer[] = [];
const mostSpares = 6;

/** Bytes in a buffer of their own, not cleared: clearing costs as much as copying. */
export function roomFor(length: number): Uint8Array<ArrayBuffer> {
  const at = spares.findIndex(({ byteLength }) => byteLength === length);
  if (at < 0) return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
  const [room] = spares.splice(at, 1);
  return new Uint8Array(room);
}

/**
 * To be called only by the maker of a picture that nobody else holds: the next picture of its size is written over it.
 */
export function giveBackRoom({ buffer, byteLength }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || byteLength === 0 || byteLength !== buffer.byteLength) return;
  if (spares.includes(buffer)) return;
  spares.push(buffer);
  if (spares.length > mostSpares) spares.shift();
}
