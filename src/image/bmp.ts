/** A BMP file's pixels, top row first. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  readonly alpha?: Uint8Array;
}

export interface BitmapHead {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly compression: number;
  readonly topDown: boolean;
  readonly paletteAt: number;
  readonly paletteEntry: 3 | 4;
  readonly colours: number;
  readonly pixelsAt: number;
  /** Masks of red, green, blue and alpha; 0: none. */
  readonly masks: readonly [number, number, number, number];
}

const defaultMasks: Record<number, [number, number, number, number]> = {
  16: [0x7c00, 0x03e0, 0x001f, 0],
  32: [0x00ff0000, 0x0000ff00, 0x000000ff, 0],
};

/** Reads the headers of OS/2 1.x and Windows 3 to 5; throws `RangeError` where they are cut off. */
export function readBitmapHead(bytes: Uint8Array): BitmapHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pixelsAt = view.getUint32(10, true);
  const size = view.getUint32(14, true);
  if (size === 12) {
    const bits = view.getUint16(24, true);
    const [width, height] = [view.getUint16(18, true), view.getUint16(20, true)];
    return {
      ...{ width, height, bits, compression: 0, topDown: false, paletteAt: 26, paletteEntry: 3, pixelsAt },
      colours: bits <= 8 ? 2 ** bits : 0,
      masks: defaultMasks[bits] ?? [0, 0, 0, 0],
    };
  }
  const height = view.getInt32(22, true);
  const bits = view.getUint16(28, true);
  const compression = view.getUint32(30, true);
  const used = view.getUint32(46, true);
  const hasMasks = compression === 3 || compression === 6;
  const alphaMask = size >= 56 && hasMasks ? view.getUint32(66, true) : 0;
  const masks: [number, number, number, number] = hasMasks
    ? [view.getUint32(54, true), view.getUint32(58, true), view.getUint32(62, true), alphaMask]
    : (defaultMasks[bits] ?? [0, 0, 0, 0]);
  return {
    ...{ width: view.getInt32(18, true), height: Math.abs(height), bits, compression, topDown: height < 0, pixelsAt },
    paletteAt: 14 + size + (hasMasks && size === 40 ? 12 : 0),
    paletteEntry: 4,
    colours: bits <= 8 ? used || 2 ** bits : 0,
    masks,
  };
}

/** Why a bitmap cannot be read, if so. */
export function bitmapProblem({ bits, compression, width, height }: BitmapHead): string | undefined {
  if (compression === 1 || compression === 2)
    return 'is a run-length compressed BMP, which is not read; save it as PNG';
  if (compression !== 0 && compression !== 3 && compression !== 6) return 'is a BMP of an unknown compression';
  if (![1, 4, 8, 16, 24, 32].includes(bits)) return `is a BMP of ${bits} bits a pixel, which is not read`;
  if (width < 1 || height < 1) return 'is a BMP without pixels';
  return undefined;
}

/** Throws `RangeError` where the file ends too early. */
export function readBitmap(bytes: Uint8Array, head: BitmapHead): Bitmap {
  const { width, height, bits, topDown, pixelsAt } = head;
  const stride = Math.floor((width * bits + 31) / 32) * 4;
  if (pixelsAt + stride * (height - 1) + Math.ceil((width * bits) / 8) > bytes.length) throw new RangeError('cut off');
  const data = new Uint8Array(width * height * 3);
  const alpha = head.masks[3] === 0 ? undefined : new Uint8Array(width * height);
  const readRow = bits <= 8 ? paletteRow(bytes, head) : bits === 24 ? plainRow(bytes, head) : maskedRow(bytes, head);
  for (let y = 0; y < height; y++) readRow(pixelsAt + (topDown ? y : height - 1 - y) * stride, y * width, data, alpha);
  return { width, height, data, alpha };
}

type RowReader = (from: number, pixel: number, data: Uint8Array, alpha?: Uint8Array) => void;

function paletteRow(bytes: Uint8Array, { width, bits, paletteAt, paletteEntry, colours }: BitmapHead): RowReader {
  const palette = new Uint8Array(256 * 3);
  for (let i = 0; i < Math.min(colours, 256); i++) {
    for (let c = 0; c < 3; c++) palette[i * 3 + c] = bytes[paletteAt + i * paletteEntry + 2 - c];
  }
  const each = 8 / bits;
  return (from, pixel, data) => {
    for (let x = 0; x < width; x++) {
      const shift = 8 - bits - (x % each) * bits;
      const index = (bytes[from + Math.floor(x / each)] >> shift) & (2 ** bits - 1);
      for (let c = 0; c < 3; c++) data[(pixel + x) * 3 + c] = palette[index * 3 + c];
    }
  };
}

function plainRow(bytes: Uint8Array, { width }: BitmapHead): RowReader {
  return (from, pixel, data) => {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) data[(pixel + x) * 3 + c] = bytes[from + x * 3 + 2 - c];
    }
  };
}

function maskedRow(bytes: Uint8Array, { width, bits, masks }: BitmapHead): RowReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    return { shift, top: (mask >>> shift) >>> 0 };
  });
  return (from, pixel, data, alpha) => {
    for (let x = 0; x < width; x++) {
      const value = bits === 16 ? view.getUint16(from + x * 2, true) : view.getUint32(from + x * 4, true);
      const level = (i: number) => {
        const { shift, top } = fields[i];
        return top === 0 ? 0 : Math.floor((((value >>> shift) & top) * 255) / top);
      };
      for (let c = 0; c < 3; c++) data[(pixel + x) * 3 + c] = level(c);
      if (alpha) alpha[pixel + x] = level(3);
    }
  };
}
