import { useState } from 'preact/hooks';
import type { ReviewResults } from '../../../src/contracts/studio/review.ts';
import { isStatic, notice, post } from '../api.ts';
import { plural } from '../parts/format.ts';
import { reviewData } from './review-data.ts';
import { ReviewerName } from './reviewer-name.tsx';

interface DisputesProps {
  readonly review: string;
  readonly results: ReviewResults;
  /** Who has the last word; undefined: must be named first. */
  readonly decider: string | undefined;
  onDecided(): void;
}

/** Pictures on which reviewers disagree, each question with its votes and a button for the last word. */
export function Disputes({ review, results: { outcomes, questions }, decider, onDecided }: DisputesProps) {
  const [failed, setFailed] = useState('');
  const disputed = outcomes.filter(({ disputes }) => disputes.length > 0);
  const decide = async (item: string, question: string, answer: string) => {
    try {
      await post(['reviews', review, 'decisions'], { reviewer: decider, item, answers: { [question]: answer } });
      setFailed('');
      notice.value = `Decided: ${answer}`;
      onDecided();
    } catch (error) {
      setFailed((error as Error).message);
    }
  };
  return (
    <>
      <h2>Disputed: {disputed.length}</h2>
      {disputed.length > 0 && !decider && !isStatic && <ReviewerName label="Who decides" button="Decide" />}
      {failed && (
        <p class="error" role="alert">
          {failed}
        </p>
      )}
      <ul class="plain disputes">
        {disputed.map(({ item, votes, disputes }) => (
          <li key={item.id}>
            <img
              loading="lazy"
              src={reviewData.pictureUrl(review, item.id)}
              alt={`${item.id}, labelled ${item.label}`}
            />
            <div>
              <b>{item.label}</b>
              {questions
                .filter(({ id }) => disputes.includes(id))
                .map(({ id, text, answers }) => (
                  <fieldset key={id} class="question">
                    <legend>{text}</legend>
                    <div class="row-buttons">
                      <span class="soft">{isStatic ? 'Said:' : 'Decide:'}</span>
                      {answers.map(({ value, text: said }) => (
                        <button
                          key={value}
                          type="button"
                          disabled={!decider}
                          onClick={() => decide(item.id, id, value)}
                        >
                          {said} ({plural(votes[id]?.[value] ?? 0, 'vote')})
                        </button>
                      ))}
                    </div>
                  </fieldset>
                ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
