import { inflateSync } from 'node:zlib';

/** A PNG's samples as stored: no gamma, no profile, palettes not expanded. */
export interface Png {
  readonly width: number;
  readonly height: number;
  readonly colour: 'grey' | 'rgb' | 'index';
  /** Bits of one stored sample; sub-byte greys are already spread to 0–255. */
  readonly depth: 8 | 16;
  readonly channels: number;
  readonly hasAlpha: boolean;
  readonly data: Uint8Array | Uint16Array;
  /** RGB triples. */
  readonly palette?: Uint8Array;
  /** Opacity of each palette entry. */
  readonly paletteAlpha?: Uint8Array;
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
export const isPng = (bytes: Uint8Array): boolean => signature.every((byte, i) => bytes[i] === byte);

/** Colour type → channels, after the PNG specification (ISO/IEC 15948, table 11.1). */
const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const passes = {
  none: [[0, 0, 1, 1]],
  adam7: [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ],
};

/** Decodes a PNG exactly. Throws a plain Error with the reason; the caller knows the file. */
export function decodePng(bytes: Uint8Array, { maxPixels = 1e8 }: { maxPixels?: number } = {}): Png {
  const { header, packed, palette, paletteAlpha } = readChunks(bytes);
  const { width, height, bits, type, interlaced } = header;
  const channels = channelsOf[type];
  if (!channels || ![1, 2, 4, 8, 16].includes(bits)) throw new Error('it is not a valid PNG');
  if (!width || !height || width * height > maxPixels)
    throw new Error(`it is ${width} × ${height}, too large to be read`);
  const layout = interlaced ? passes.adam7 : passes.none;
  const rowBytes = (pixels: number) => Math.ceil((pixels * channels * bits) / 8);
  const sizes = layout.map(([x, y, dx, dy]) => [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]);
  const expectedBytes = sizes.reduce((sum, [w, h]) => sum + (w && h ? h * (rowBytes(w) + 1) : 0), 0);
  const raw = inflate(packed, expectedBytes);
  if (raw.length < expectedBytes) throw new Error('its end is missing');

  const data = bits === 16 ? new Uint16Array(width * height * channels) : new Uint8Array(width * height * channels);
  const unitBytes = Math.max(1, (channels * bits) >> 3);
  // Sub-byte greys mean fractions of white; sub-byte palette entries are numbers.
  const spread = type === 0 && bits < 8 ? 255 / (2 ** bits - 1) : 1;
  let at = 0;
  layout.forEach(([x0, y0, dx, dy], pass) => {
    const [w, h] = sizes[pass];
    if (!w || !h) return;
    const length = rowBytes(w);
    let previous: Uint8Array = new Uint8Array(length);
    for (let j = 0; j < h; j++) {
      const row = raw.subarray(at + 1, at + 1 + length);
      unfilter(raw[at], row, previous, unitBytes);
      const target = (y0 + j * dy) * width;
      if (bits === 8 && dx === 1) data.set(row, target * channels);
      else
        for (let i = 0; i < w; i++)
          for (let c = 0; c < channels; c++)
            data[(target + x0 + i * dx) * channels + c] = sampleAt(row, i * channels + c, bits) * spread;
      previous = row;
      at += length + 1;
    }
  });
  return {
    width,
    height,
    colour: type === 3 ? 'index' : type === 2 || type === 6 ? 'rgb' : 'grey',
    depth: bits === 16 ? 16 : 8,
    channels,
    hasAlpha: type === 4 || type === 6,
    data,
    ...(type === 3 && { palette, paletteAlpha }),
  };
}

function readChunks(bytes: Uint8Array) {
  if (!isPng(bytes)) throw new Error('it is not a PNG');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packed: Uint8Array[] = [];
  let header: { width: number; height: number; bits: number; type: number; interlaced: boolean } | undefined;
  let palette: Uint8Array | undefined;
  let paletteAlpha: Uint8Array | undefined;
  for (let at = 8; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (body.length < length && name !== 'IDAT') throw new Error('its end is missing');
    if (name === 'IHDR')
      header = {
        width: view.getUint32(at + 8),
        height: view.getUint32(at + 12),
        bits: body[8],
        type: body[9],
        interlaced: body[12] === 1,
      };
    else if (name === 'PLTE') palette = body;
    else if (name === 'tRNS') paletteAlpha = body;
    else if (name === 'IDAT') packed.push(body);
    else if (name === 'IEND') break;
    at += length + 12;
  }
  if (!header) throw new Error('it is not a valid PNG');
  if (!packed.length) throw new Error('it holds no picture');
  return { header, packed, palette, paletteAlpha };
}

function inflate(packed: Uint8Array[], expectedBytes: number): Uint8Array {
  try {
    return inflateSync(packed.length === 1 ? packed[0] : Buffer.concat(packed), {
      maxOutputLength: expectedBytes + 1024,
    });
  } catch (cause) {
    const code = (cause as { code?: string }).code;
    throw new Error(code === 'Z_BUF_ERROR' ? 'its end is missing' : 'its data are damaged', { cause });
  }
}

function sampleAt(row: Uint8Array, index: number, bits: number): number {
  if (bits === 8) return row[index];
  if (bits === 16) return (row[2 * index] << 8) | row[2 * index + 1];
  const bit = index * bits;
  return (row[bit >> 3] >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
}

function unfilter(filter: number, row: Uint8Array, above: Uint8Array, unit: number): void {
  switch (filter) {
    case 0:
      return;
    case 1:
      for (let i = unit; i < row.length; i++) row[i] += row[i - unit];
      return;
    case 2:
      for (let i = 0; i < row.length; i++) row[i] += above[i];
      return;
    case 3:
      for (let i = 0; i < row.length; i++) row[i] += ((i < unit ? 0 : row[i - unit]) + above[i]) >> 1;
      return;
    case 4:
      for (let i = 0; i < row.length; i++) {
        const left = i < unit ? 0 : row[i - unit];
        row[i] += paeth(left, above[i], i < unit ? 0 : above[i - unit]);
      }
      return;
    default:
      throw new Error('its data are damaged');
  }
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const a = Math.abs(estimate - left);
  const b = Math.abs(estimate - above);
  const c = Math.abs(estimate - corner);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
