import type { ObjectPlane } from './plane.ts';

/** Larger pictures are not read. */
const mostPixels = 100_000_000;

/** A plane in few bytes: each run is its value and its length, seven bits a byte, the low ones first. */
export function packRuns({ data }: Pick<ObjectPlane, 'data'>): Uint8Array {
  let out = new Uint8Array(4096);
  let used = 0;
  for (let i = 0; i < data.length; ) {
    const value = data[i];
    let end = i + 1;
    while (end < data.length && data[end] === value) end++;
    if (used + 8 > out.length) {
      const larger = new Uint8Array(2 * out.length);
      larger.set(out);
      out = larger;
    }
    out[used++] = value;
    let length = end - i;
    while (length > 127) {
      out[used++] = (length & 127) | 128;
      length >>>= 7;
    }
    out[used++] = length;
    i = end;
  }
  return out.slice(0, used);
}

/** Throws a plain Error where the bytes are not a plane of that size. */
export function unpackRuns(bytes: Uint8Array, width: number, height: number): ObjectPlane {
  const pixels = width * height;
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1 || pixels > mostPixels)
    throw new Error(`a picture of ${width} × ${height} pixels cannot be drawn on`);
  const data = new Uint8Array(pixels);
  let filled = 0;
  for (let at = 0; at < bytes.length; ) {
    const value = bytes[at++];
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= bytes.length || shift > 28) throw new Error('its runs are damaged');
      const byte = bytes[at++];
      length += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    if (length < 1 || filled + length > pixels) throw new Error('its runs do not fit the picture');
    data.fill(value, filled, filled + length);
    filled += length;
  }
  if (filled !== pixels) throw new Error('its runs do not fit the picture');
  return { width, height, data };
}

/** Bytes as text, in steps that a call can take; browsers have no Buffer. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
}

export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
