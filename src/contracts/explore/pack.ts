import type { RunColumns } from './columns.ts';

const arrays = {
  sampleLabel: Uint16Array,
  variantSample: Uint32Array,
  variantScenario: Uint16Array,
  rowStart: Uint32Array,
  rowModel: Uint16Array,
  rowAnswer: Uint16Array,
  rowProbability: Float32Array,
  rowFold: Int16Array,
  rowFlags: Uint8Array,
} as const;
const facts = ['size', 'x', 'y', 'brightness'] as const;
const texts = ['models', 'scenarios', 'labels', 'answers', 'samples'] as const;

interface Header {
  readonly version: 1;
  readonly texts: Record<(typeof texts)[number], readonly string[]>;
  readonly lengths: Record<string, number>;
}

/** One piece of bytes: the length of the header, the header (JSON), then every array at a multiple of eight. Little-endian. */
export function packColumns(columns: RunColumns): Uint8Array {
  const parts: [string, Uint8Array][] = [
    ...Object.keys(arrays).map((name): [string, Uint8Array] => [name, bytesOf(columns[name as keyof typeof arrays])]),
    ...facts.map((name): [string, Uint8Array] => [name, bytesOf(columns.facts[name])]),
  ];
  const header: Header = {
    version: 1,
    texts: Object.fromEntries(texts.map((name) => [name, columns[name]])) as Header['texts'],
    lengths: Object.fromEntries(parts.map(([name, bytes]) => [name, bytes.length])),
  };
  const head = new TextEncoder().encode(JSON.stringify(header));
  let at = aligned(4 + head.length);
  const packed = new Uint8Array(parts.reduce((sum, [, bytes]) => aligned(sum + bytes.length), at));
  new DataView(packed.buffer).setUint32(0, head.length, true);
  packed.set(head, 4);
  for (const [, bytes] of parts) {
    packed.set(bytes, at);
    at = aligned(at + bytes.length);
  }
  return packed;
}

/** The arrays are views of `buffer`, not copies. */
export function unpackColumns(buffer: ArrayBuffer): RunColumns {
  const headLength = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, headLength))) as Header;
  if (header.version !== 1) throw new Error(`these columns are of version ${header.version}; this program reads 1`);
  let at = aligned(4 + headLength);
  const take = (name: string) => {
    const start = at;
    at = aligned(at + header.lengths[name]);
    return [start, header.lengths[name]] as const;
  };
  const read: Record<string, unknown> = {};
  for (const [name, Kind] of Object.entries(arrays)) {
    const [start, bytes] = take(name);
    read[name] = new Kind(buffer, start, bytes / Kind.BYTES_PER_ELEMENT);
  }
  const known: Record<string, Float32Array> = {};
  for (const name of facts) {
    const [start, bytes] = take(name);
    known[name] = new Float32Array(buffer, start, bytes / 4);
  }
  return { ...header.texts, ...read, facts: known } as unknown as RunColumns;
}

const aligned = (bytes: number) => 8 * Math.ceil(bytes / 8);
const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
