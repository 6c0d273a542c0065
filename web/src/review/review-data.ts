import type { ReviewAgreement, ReviewResults, ReviewSummary } from '../../../src/contracts/studio/review.ts';
import { apiUrl, get, isStatic } from '../api.ts';
import {
  staticAgreement,
  staticResults,
  staticReviewFile,
  staticReviewPicture,
  staticReviews,
} from '../static/review.ts';

/** Where reviews and their pictures come from: the server, or the files of an exported site. */
export const reviewData = isStatic
  ? {
      reviews: (_signal?: AbortSignal) => staticReviews(),
      results: (review: string, _signal?: AbortSignal) => staticResults(review),
      agreement: (review: string, _signal?: AbortSignal) => staticAgreement(review),
      pictureUrl: staticReviewPicture,
      exportUrl: (review: string, format: 'csv' | 'json') => staticReviewFile(review, `review.${format}`),
    }
  : {
      reviews: (signal?: AbortSignal) => get<ReviewSummary[]>(['reviews'], { signal }),
      results: (review: string, signal?: AbortSignal) => get<ReviewResults>(['reviews', review, 'results'], { signal }),
      agreement: (review: string, signal?: AbortSignal) =>
        get<ReviewAgreement>(['reviews', review, 'agreement'], { signal }),
      pictureUrl: (review: string, item: string) => apiUrl(['reviews', review, 'picture'], { item }),
      exportUrl: (review: string, format: 'csv' | 'json') => apiUrl(['reviews', review, `export.${format}`]),
    };
