import './review.css';
import { useEffect } from 'preact/hooks';
import type { ReviewSummary, ReviewTurn } from '../../../src/contracts/studio/review.ts';
import { get } from '../api.ts';
import { useShortcuts } from '../keys.ts';
import type { PageProps } from '../pages.ts';
import { Loaded } from '../parts/state.tsx';
import { href, place, setQuery } from '../router.ts';
import { useData } from '../use-data.ts';
import { PictureTurn } from './picture-turn.tsx';
import { ReviewerName } from './reviewer-name.tsx';

/** One reviewer before one picture after the other. */
export function JudgePage({ params }: PageProps) {
  const reviewer = place.value.query.get('as')?.trim();
  const review = useData(`review ${params.review}`, (signal) =>
    get<ReviewSummary>(['reviews', params.review], { signal }),
  );
  return (
    <section class="page wide review">
      <Loaded of={review}>
        {(summary) => (
          <>
            <header class="review-head">
              <h1>{summary.title}</h1>
              {reviewer && (
                <span class="soft">
                  as <b>{reviewer}</b>{' '}
                  <button type="button" onClick={() => setQuery({ as: null, picture: null })}>
                    Another name
                  </button>
                </span>
              )}
              <a href={href(['review', params.review, 'results'], { as: reviewer })}>Results</a>
            </header>
            {reviewer ? (
              <Turns key={reviewer} review={summary} reviewer={reviewer} />
            ) : (
              <>
                <p>
                  Every reviewer judges alone: nobody sees what the others said. Your answers are kept under your name,
                  so that you can go on later.
                </p>
                <ReviewerName label="Your name" button="Begin" focused />
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Turns({ review, reviewer }: { review: ReviewSummary; reviewer: string }) {
  const picture = place.value.query.get('picture') ?? undefined;
  const turn = useData(`${review.id} ${picture ?? ''}`, (signal) =>
    get<ReviewTurn>(['reviews', review.id, 'turn'], { query: { reviewer, item: picture }, signal }),
  );
  const show = (item: string | null) => {
    if (item === (picture ?? null)) turn.reload();
    else setQuery({ picture: item });
  };
  return (
    <Loaded of={turn}>
      {({ item, ...position }) => (
        <>
          <Progress done={position.done} left={position.left} />
          {item ? (
            <PictureTurn
              key={item.id}
              review={review}
              reviewer={reviewer}
              item={item}
              given={position.answers}
              previous={position.previous}
              following={position.following}
              show={show}
            />
          ) : (
            <Finished previous={position.previous} show={show} />
          )}
        </>
      )}
    </Loaded>
  );
}

const Progress = ({ done, left }: { done: number; left: number }) => (
  <p class="review-progress">
    <progress value={done} max={done + left} aria-label="Your progress" />{' '}
    <output>
      {done} of {done + left} judged
    </output>
  </p>
);

function Finished({ previous, show }: { previous: string | null; show: (item: string | null) => void }) {
  const back = () => previous !== null && show(previous);
  useShortcuts('Review', [{ keys: 'ArrowLeft Backspace', does: 'back to the picture before', run: back }]);
  useEffect(() => document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true }), []);
  return (
    <div class="review-finished">
      <h2>Nothing is left for you</h2>
      <p>Every picture has your answer, or enough answers of others. Thank you.</p>
      {previous !== null && (
        <button type="button" onClick={back}>
          <kbd>←</kbd> Back to the picture before
        </button>
      )}
    </div>
  );
}
