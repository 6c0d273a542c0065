import { createRequire } from 'node:module';
import type sharp from 'sharp';

let loaded: typeof sharp | undefined;

/** The image library, when the first picture needs it: loading it costs more than the rest of a short command. */
export async function loadSharp(): Promise<typeof sharp> {
  if (loaded) return loaded;
  // Imported, it would take twice as long: Node searches every CommonJS file below an import for names first.
  loaded = createRequire(import.meta.url)('sharp') as typeof sharp;
  // Worker threads do the work side by side; libvips' own threads would fight with them, and its cache would hold every
  // photograph it ever saw.
  loaded.concurrency(1);
  loaded.cache(false);
  return loaded;
}
