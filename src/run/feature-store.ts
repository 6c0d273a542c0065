import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomic } from './atomic.ts';
import { hashJson } from './hash.ts';

/** Features on disk: shards of float32 rows, each row under a key that names all it depends on. */
export interface FeatureStore {
  readonly d: number;
  has(key: string): boolean;
  /** Writes one shard, whole or not at all. */
  write(keys: readonly string[], rows: Float32Array): Promise<void>;
  /** The rows of these keys, in their order; every key must be there. */
  read(keys: readonly string[]): Float32Array;
}

const folderName = 'features';
const extension = '.f32';

interface Place {
  readonly file: string;
  readonly at: number;
}

/** The features in a run folder. A shard is the length of its header, the header (JSON), then rows of d numbers. */
export function openFeatureStore(run: string, d: number): FeatureStore {
  const folder = join(run, folderName);
  const places = new Map<string, Place>();
  const index = (file: string, keys: readonly string[], start: number) => {
    for (const [i, key] of keys.entries()) places.set(key, { file, at: start + i * d * 4 });
  };
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    if (!name.endsWith(extension)) continue;
    const file = join(folder, name);
    const found = readHeader(file);
    // What is damaged is made again.
    if (!found) rmSync(file, { force: true });
    else if (found.header.d === d) index(file, found.header.keys, found.start);
  }
  return {
    d,
    has: (key) => places.has(key),
    async write(keys, rows) {
      if (!keys.length) return;
      const header = Buffer.from(JSON.stringify({ d, keys }));
      const padded = Buffer.concat([header, Buffer.alloc((4 - (header.length % 4)) % 4, ' ')]);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(padded.length);
      const name = `${hashJson(keys)}${extension}`;
      const data = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
      await writeAtomic(run, join(folderName, name), Buffer.concat([length, padded, data]));
      index(join(folder, name), keys, 4 + padded.length);
    },
    read(keys) {
      const rows = new Float32Array(keys.length * d);
      const bytes = Buffer.from(rows.buffer);
      let open: { file: string; handle: number } | undefined;
      try {
        for (let i = 0; i < keys.length; ) {
          const place = places.get(keys[i]);
          if (!place) throw new Error(`features of ${keys[i]} are not in ${folder}`);
          // Rows that follow each other in the shard are read at once.
          let count = 1;
          for (; i + count < keys.length; count++) {
            const next = places.get(keys[i + count]);
            if (next?.file !== place.file || next.at !== place.at + count * d * 4) break;
          }
          if (open?.file !== place.file) {
            if (open) closeSync(open.handle);
            open = { file: place.file, handle: openSync(place.file, 'r') };
          }
          readSync(open.handle, bytes, i * d * 4, count * d * 4, place.at);
          i += count;
        }
      } finally {
        if (open) closeSync(open.handle);
      }
      return rows;
    },
  };
}

const headerSchema = z.object({ d: z.number().int().positive(), keys: z.array(z.string()) });

/** Undefined where the file is cut short or not a shard of features. */
function readHeader(file: string): { header: z.infer<typeof headerSchema>; start: number } | undefined {
  const handle = openSync(file, 'r');
  try {
    const length = Buffer.alloc(4);
    const { size } = fstatSync(handle);
    if (readSync(handle, length, 0, 4, 0) < 4 || 4 + length.readUInt32LE() > size) return undefined;
    const text = Buffer.alloc(length.readUInt32LE());
    readSync(handle, text, 0, text.length, 4);
    const header = headerSchema.parse(JSON.parse(text.toString('utf8')));
    const start = 4 + text.length;
    return start + header.keys.length * header.d * 4 === size ? { header, start } : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(handle);
  }
}
