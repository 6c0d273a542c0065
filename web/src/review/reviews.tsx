import './review.css';
import type { ReviewSummary } from '../../../src/contracts/studio/review.ts';
import { get } from '../api.ts';
import { plural } from '../parts/format.ts';
import { Loaded } from '../parts/state.tsx';
import { href } from '../router.ts';
import { useData } from '../use-data.ts';

const pollMs = 5000;

/** Every review the studio was given, with how far each reviewer is. */
export function Reviews() {
  const reviews = useData('reviews', (signal) => get<ReviewSummary[]>(['reviews'], { signal }), pollMs);
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
          <th scope="col">Pictures</th>
          <th scope="col">Votes each</th>
          <th scope="col">Reviewers</th>
          <th scope="col">Results</th>
        </tr>
      </thead>
      <tbody>
        {reviews.map(({ id, title, name, pictures, votes, reviewers }) => (
          <tr key={id}>
            <th scope="row">
              <a href={href(['review', id])}>{title}</a>
              <div class="soft">{name}</div>
            </th>
            <td>{pictures}</td>
            <td>{votes}</td>
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
                  {reviewer.done}
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
