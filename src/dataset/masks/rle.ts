/**
 * COCO's run lengths: alternating background and object, column by column, the first run background. The compressed form
 * stores five bits a character from '0' on, sixth bit "more follows", two's complement, and from the fourth run on the
 * difference to the run two before.
 */
export function decodeRleString(text: string): number[] {
  const counts: number[] = [];
  for (let at = 0; at < text.length; ) {
    let value = 0;
    let shift = 0;
    let bits: number;
    do {
      bits = text.charCodeAt(at++) - 48;
      if (!(bits >= 0 && bits < 64)) throw new Error('its compressed run lengths are damaged');
      // Runs can exceed 31 bits of shift only in pictures far beyond any limit here.
      value += (bits & 0x1f) * 2 ** shift;
      shift += 5;
    } while (bits & 0x20);
    if (bits & 0x10) value -= 2 ** shift;
    if (counts.length > 2) value += counts[counts.length - 2];
    counts.push(value);
  }
  return counts;
}

export function encodeRleString(counts: readonly number[]): string {
  let text = '';
  counts.forEach((count, i) => {
    let value = i > 2 ? count - counts[i - 2] : count;
    let more = true;
    while (more) {
      const bits = value & 0x1f;
      value >>= 5;
      more = bits & 0x10 ? value !== -1 : value !== 0;
      text += String.fromCharCode((more ? bits | 0x20 : bits) + 48);
    }
  });
  return text;
}

/** Run lengths to a plane of 0 and 255, row by row. */
export function rleToPlane(counts: string | readonly number[], width: number, height: number): Uint8Array {
  const runs = typeof counts === 'string' ? decodeRleString(counts) : counts;
  const total = runs.reduce((sum, run) => sum + run, 0);
  const wrong = runs.find((run) => !(Number.isInteger(run) && run >= 0));
  if (wrong !== undefined) throw new Error(`one of its run lengths is ${wrong}`);
  if (total !== width * height)
    throw new Error(`its run lengths cover ${total} pixels, the picture has ${width} × ${height}`);
  const plane = new Uint8Array(width * height);
  let position = 0;
  runs.forEach((run, i) => {
    if (i % 2 === 1) fillColumns(plane, width, height, position, position + run);
    position += run;
  });
  return plane;
}

/** Sets pixels `from` to `to` (left out), counted down the columns, in a plane stored row by row. */
export function fillColumns(plane: Uint8Array, width: number, height: number, from: number, to: number): void {
  let x = Math.floor(from / height);
  let y = from % height;
  for (let left = to - from; left > 0; x++, y = 0) {
    const end = Math.min(height, y + left);
    left -= end - y;
    for (; y < end; y++) plane[y * width + x] = 255;
  }
}
