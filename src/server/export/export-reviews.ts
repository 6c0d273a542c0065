import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReviewSummary } from '../../contracts/studio/review.ts';
import { outcomeCsv, outcomeJson } from '../../review/export.ts';
import { createOpenReviews } from '../open-reviews.ts';
import { agreementOf, resultsOf, summariseReview } from '../review.ts';
import { readReviewPicture } from '../review-picture.ts';
import type { Workspace } from '../workspace.ts';

/** Writes the reviews' results and pictures, read-only. */
export async function exportReviews(workspace: Workspace, data: string): Promise<void> {
  const reviews = createOpenReviews(workspace);
  const summaries: ReviewSummary[] = [];
  try {
    for (const place of await workspace.reviews()) {
      const review = await reviews.open(place.id);
      const folder = join(data, 'reviews', place.id);
      await mkdir(join(folder, 'pictures'), { recursive: true });
      const results = resultsOf(review);
      const pictures: Record<string, string> = {};
      for (const [i, { item }] of results.outcomes.entries()) {
        const picture = await readReviewPicture(review, item.id).catch(() => undefined);
        if (!picture) continue;
        pictures[item.id] = `pictures/${i}.${picture.type.slice('image/'.length)}`;
        await writeFile(join(folder, pictures[item.id]), picture.bytes);
      }
      const documents = { results, agreement: agreementOf(review), pictures };
      for (const [name, document] of Object.entries(documents))
        await writeFile(join(folder, `${name}.json`), JSON.stringify(document));
      await writeFile(join(folder, 'review.csv'), outcomeCsv(review.queue, review.votes()));
      await writeFile(join(folder, 'review.json'), JSON.stringify(outcomeJson(review.queue, review.votes())));
      summaries.push({ ...summariseReview(place, review), name: place.id });
    }
  } finally {
    await reviews.close();
  }
  await writeFile(join(data, 'reviews.json'), JSON.stringify(summaries));
}
