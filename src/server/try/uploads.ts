import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseShape } from '../../dataset/picture-shape.ts';
import { decodeDetailed } from '../../image/decode.ts';
import { notFound } from '../errors.ts';

/** Larger pictures are refused before they are decoded: they come from a browser, to be looked at small. */
const mostPixels = 40_000_000;
const mostBytes = 256 * 2 ** 20;

/** Files that were sent to the studio, in a temporary folder that is removed when the studio ends. */
export interface Uploads {
  /** Decoded once, as a run decodes it; throws `SampleError` where that cannot be. */
  addPicture(bytes: Uint8Array): Promise<{ id: string; width: number; height: number; differences: readonly string[] }>;
  /** Any file, named by its content; forgotten again where `check` throws. */
  add(bytes: Uint8Array, check?: (path: string) => Promise<void>): Promise<string>;
  path(id: string): string;
  close(): Promise<void>;
}

export function createUploads(): Uploads {
  let folder: Promise<string> | undefined;
  /** The oldest first. */
  const held = new Map<string, { path: string; bytes: number }>();
  let total = 0;

  const forget = async (id: string) => {
    const found = held.get(id);
    if (!found) return;
    held.delete(id);
    total -= found.bytes;
    await rm(found.path, { force: true });
  };
  const add: Uploads['add'] = async (bytes, check) => {
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 24);
    if (!held.has(id)) {
      folder ??= mkdtemp(join(tmpdir(), 'sceneshift-try-'));
      const path = join(await folder, id);
      await writeFile(path, bytes, { mode: 0o600 });
      held.set(id, { path, bytes: bytes.length });
      total += bytes.length;
      for (const oldest of held.keys()) {
        if (total <= mostBytes || oldest === id) break;
        await forget(oldest);
      }
    }
    try {
      await check?.((held.get(id) as { path: string }).path);
    } catch (error) {
      await forget(id);
      throw error;
    }
    return id;
  };
  return {
    async addPicture(bytes) {
      const { image, differences } = await decodeDetailed(bytes, { maxPixels: mostPixels });
      refuseShape(image, 'The picture');
      return { id: await add(bytes), width: image.width, height: image.height, differences };
    },
    add,
    path(id) {
      const found = held.get(id);
      if (!found) throw notFound('The studio no longer has this picture or mask; give it again');
      return found.path;
    },
    async close() {
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}
