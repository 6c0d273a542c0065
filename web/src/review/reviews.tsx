import './review.css';
import type { ReviewSummary } from '../../../src/contracts/studio/review.ts';
import { isStatic } from '../api.ts';
import { plural } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { Loaded } from '../parts/state.tsx';
import { href } from '../router.ts';
import { useData } from '../use-data.ts';
import { reviewData } from './review-data.ts';

const pollMs = 5000;

/** Every review the studio was given, with how far each reviewer is. */
export function Reviews() {
  const reviews = useData('reviews', reviewData.reviews, isStatic ? undefined : pollMs);
  return (
    <section class="page">
      <h1>Review</h1>
      <Loaded of={reviews}>{(all) => (all.length ? <ReviewTable reviews={all} /> : <NoReviews />)}</Loaded>
    </section>
  );
}

const NoReviews = () => (
  <p>
    There is no review here yet. <code>sceneshift mine RUN --review export</code> makes one of the pictures that several
    models fail; <code>sceneshift studio RUN</code> or <code>sceneshift studio FOLDER</code> opens it.
  </p>
);

const ReviewTable = ({ reviews }: { reviews: readonly ReviewSummary[] }) => (
  <div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Review</th>
          <th scope="col" class="number">
            Pictures
          </th>
          <th scope="col" class="number">
            Votes each
          </th>
          <th scope="col">Reviewers</th>
          <th scope="col">Results</th>
        </tr>
      </thead>
      <tbody>
        {reviews.map(({ id, title, name, pictures, votes, reviewers }) => (
          <tr key={id}>
            <th scope="row">
              <a href={href(isStatic ? ['review', id, 'results'] : ['review', id])}>{title}</a>
              <div class="soft">{name}</div>
            </th>
            <NumberCell to={href(['review', id, 'results'], { show: 'all' })}>{pictures}</NumberCell>
            <NumberCell to={href(['review', id, 'results'], { show: 'all' })}>{votes}</NumberCell>
            <td>
              {reviewers.length === 0 && <span class="soft">nobody yet</span>}
              {reviewers.map((reviewer) => (
                <div key={reviewer.name}>
                  {reviewer.name}{' '}
                  <progress
                    value={reviewer.done}
                    max={pictures}
                    aria-label={`${reviewer.name}: ${reviewer.done} of ${plural(pictures, 'picture')}`}
                  />{' '}
                  <a href={href(['review', id, 'results'], { by: reviewer.name, show: 'all' })}>{reviewer.done}</a>
                </div>
              ))}
            </td>
            <td>
              <a href={href(['review', id, 'results'])} aria-label={`Results of ${title}`}>
                Results
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
