import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { openReview, type Review } from '../review/review.ts';
import { refused } from './errors.ts';
import type { Workspace } from './workspace.ts';

export interface OpenReviews {
  /** With every vote that is on disk, also those other processes wrote. */
  open(id: string): Promise<Review>;
  close(): Promise<void>;
}

export function createOpenReviews(workspace: Workspace): OpenReviews {
  const held = new Map<string, Promise<Review>>();
  const hold = (path: string) => {
    const opened = openSafely(path);
    held.set(path, opened);
    opened.catch(() => held.delete(path));
    return opened;
  };
  return {
    async open(id) {
      const { path } = await workspace.review(id);
      const review = await (held.get(path) ?? hold(path));
      await review.refresh();
      return review;
    },
    async close() {
      for (const review of held.values()) await (await review.catch(() => undefined))?.close();
    },
  };
}

/** Votes are written to the folder that was given, not to where a link in it points. */
async function openSafely(path: string): Promise<Review> {
  const folder = await realpath(path);
  const votes = await lstat(join(folder, 'votes.jsonl')).catch(() => undefined);
  if (votes && !votes.isFile())
    throw refused('votes.jsonl of this review is not a plain file; put the file itself there');
  return openReview(folder);
}
