/** NumPy's array format, versions 1 to 3 (numpy.lib.format): ImageNet-9 keeps its masks so. */
export interface Npy {
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
  /** Column by column. */
  readonly fortran: boolean;
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
export const isNpy = (bytes: Uint8Array): boolean => magic.every((byte, i) => bytes[i] === byte);

const readers: Record<string, { bytes: number; get: (view: DataView, at: number) => number }> = {
  b1: { bytes: 1, get: (view, at) => (view.getUint8(at) ? 1 : 0) },
  u1: { bytes: 1, get: (view, at) => view.getUint8(at) },
  i1: { bytes: 1, get: (view, at) => view.getInt8(at) },
  u2: { bytes: 2, get: (view, at) => view.getUint16(at, true) },
  i2: { bytes: 2, get: (view, at) => view.getInt16(at, true) },
  i4: { bytes: 4, get: (view, at) => view.getInt32(at, true) },
  u4: { bytes: 4, get: (view, at) => view.getUint32(at, true) },
  i8: { bytes: 8, get: (view, at) => Number(view.getBigInt64(at, true)) },
  f4: { bytes: 4, get: (view, at) => view.getFloat32(at, true) },
  f8: { bytes: 8, get: (view, at) => view.getFloat64(at, true) },
};

export function decodeNpy(bytes: Uint8Array): Npy {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const long = bytes[6] >= 2;
  const start = long ? 12 : 10;
  const headerBytes = long ? view.getUint32(8, true) : view.getUint16(8, true);
  const header = Buffer.from(bytes.subarray(start, start + headerBytes)).toString('latin1');
  const type = /'descr':\s*'([<|>=]?)(\w+)'/.exec(header);
  const shape = /'shape':\s*\(([\d,\s]*)\)/
    .exec(header)?.[1]
    .split(',')
    .filter((part) => part.trim())
    .map(Number);
  const reader = type && readers[type[2]];
  if (!reader || !shape || type[1] === '>') throw new Error(`its NumPy type ${type?.[0] ?? ''} is not supported`);
  const count = shape.reduce((product, size) => product * size, 1);
  if (start + headerBytes + count * reader.bytes > bytes.length) throw new Error('its end is missing');
  const data = new Float64Array(count);
  for (let i = 0; i < count; i++) data[i] = reader.get(view, start + headerBytes + i * reader.bytes);
  return { shape, data, fortran: /'fortran_order':\s*True/.test(header) };
}
