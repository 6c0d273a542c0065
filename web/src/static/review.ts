import type { ReviewAgreement, ReviewResults, ReviewSummary } from '../../../src/contracts/studio/review.ts';
import { readData } from './read-data.ts';

/** What an exported site knows of reviews. */
export const staticReviews = (): Promise<ReviewSummary[]> => readData(['reviews.json']);
export const staticAgreement = (review: string): Promise<ReviewAgreement> =>
  readData(['reviews', review, 'agreement.json']);

const pictures = new Map<string, Readonly<Record<string, string>>>();
export async function staticResults(review: string): Promise<ReviewResults> {
  pictures.set(review, await readData(['reviews', review, 'pictures.json']));
  return readData(['reviews', review, 'results.json']);
}

export const staticReviewFile = (review: string, file: string): string =>
  `./data/reviews/${encodeURIComponent(review)}/${file}`;
/** Only after `staticResults` of the same review, which loads the list of pictures. */
export const staticReviewPicture = (review: string, item: string): string =>
  staticReviewFile(review, pictures.get(review)?.[item] ?? '');
