import { setTimeout as wait } from 'node:timers/promises';
import { type LockOptions, lockRemote } from './remote-lock.ts';
import { showAs } from './shown.ts';
import { type StagedFolder, stageFolder } from './staged-folder.ts';

const pushSeconds = 2;

const atWork = new Map<string, StagedFolder>();

/** The folder on the storage that is worked on in this copy; undefined: an ordinary folder. */
export const stagedAt = (path: string): StagedFolder | undefined => atWork.get(path);

async function stage(url: string): Promise<StagedFolder> {
  const folder = await stageFolder(url);
  showAs(folder.path, folder.url);
  atWork.set(folder.path, folder);
  return folder;
}

/**
 * Works in a local copy of a folder on the storage, which no other process may write to meanwhile. Finished shards are
 * uploaded as they come, the rest at the end and `run.json`, which says what is done, last. While the storage is
 * unreachable the work goes on; what cannot be uploaded stays in the copy for the next call.
 */
export async function inStagedFolder<Result>(
  url: string,
  work: (folder: StagedFolder) => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  const folder = await stage(url);
  const lock = await lockRemote(folder.place, options);
  try {
    await folder.pull();
    const pushing = pushNowAndThen(folder);
    const result = await work(folder).catch(async (error: unknown) => {
      await pushing.stop();
      // What failed is the news; what was finished before it is brought there all the same.
      await folder.pushShards().catch(() => undefined);
      throw error;
    });
    await pushing.stop();
    await lock.check();
    await folder.push();
    return result;
  } finally {
    await lock.release();
  }
}

function pushNowAndThen(folder: StagedFolder): { stop(): Promise<void> } {
  const ending = new AbortController();
  const loop = async () => {
    while (!ending.signal.aborted) {
      await wait(1000 * pushSeconds, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      if (!ending.signal.aborted) await folder.pushShards().catch(() => undefined);
    }
  };
  const looping = loop();
  return {
    async stop() {
      ending.abort();
      await looping;
    },
  };
}

/**
 * Reads, and perhaps adds to, a folder on the storage; changes are uploaded afterwards. Where another process of this
 * machine works in the copy (`isBusy`), it is read as it stands.
 */
export async function withStagedFolder<Result>(
  url: string,
  work: (folder: StagedFolder) => Promise<Result>,
  { isBusy }: { readonly isBusy: (path: string) => Promise<boolean> },
): Promise<Result> {
  const folder = await stage(url);
  if (await isBusy(folder.path)) return work(folder);
  await folder.pull();
  const result = await work(folder);
  if (await folder.hasChanges()) {
    const lock = await lockRemote(folder.place);
    try {
      await folder.push();
    } finally {
      await lock.release();
    }
  }
  return result;
}
