import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putOnce } from './objects.ts';
import { below, parseS3 } from './s3-url.ts';

/** A local folder whose shards are uploaded to a run on the storage, each once, and then deleted. */
export interface Outbox {
  readonly path: string;
  /** Resolves when everything in it is on the storage. */
  send(): Promise<void>;
  close(): Promise<void>;
}

export async function openOutbox(url: string): Promise<Outbox> {
  const place = parseS3(url, '--out');
  const path = await mkdtemp(join(tmpdir(), 'sceneshift-outbox-'));
  return {
    path,
    async send() {
      const names = await readdir(path, { recursive: true });
      for (const name of names.filter((each) => /^[a-z-]+[\\/][0-9a-f]{32}\.parquet$/.test(each))) {
        const bytes = await readFile(join(path, name)).catch(() => undefined);
        // Sent with another chunk in the same moment.
        if (!bytes) continue;
        await putOnce(below(place, name.replace('\\', '/')), bytes);
        await rm(join(path, name), { force: true });
      }
    },
    close: () => rm(path, { recursive: true, force: true }),
  };
}
