import { useRef, useState } from 'preact/hooks';
import type { ReviewSummary, ShownItem } from '../../../src/contracts/studio/review.ts';
import { apiUrl, post } from '../api.ts';
import { useShortcuts } from '../keys.ts';

interface PictureTurnProps {
  readonly review: ReviewSummary;
  readonly reviewer: string;
  readonly item: ShownItem;
  /** Answers from before. */
  readonly given: Readonly<Record<string, string>>;
  readonly previous: string | null;
  readonly following: string | null;
  /** null: whatever comes next. */
  show(item: string | null): void;
}

/** A picture and its questions; an answer is sent at once, and the next picture comes when all are on disk. */
export function PictureTurn({ review, reviewer, item, given, previous, following, show }: PictureTurnProps) {
  const { questions } = review;
  const [answers, setAnswers] = useState(given);
  const latest = useRef(answers);
  const [current, setCurrent] = useState(() => Math.max(0, firstOpen(given)));
  const sending = useRef(Promise.resolve());
  const [failed, setFailed] = useState('');
  /** The next picture is being loaded: a key pressed for it must not change this one. */
  const leaving = useRef(false);
  const leave = (to: string | null) => {
    leaving.current = true;
    show(to);
  };

  function firstOpen(known: Readonly<Record<string, string>>): number {
    return questions.findIndex(({ id }) => known[id] === undefined);
  }

  const send = (sent: Readonly<Record<string, string>>, isLast: boolean) => {
    sending.current = sending.current
      .then(() => post(['reviews', review.id, 'votes'], { reviewer, item: item.id, answers: sent }))
      .then(
        () => {
          setFailed('');
          if (isLast) leave(null);
        },
        (error: Error) => {
          leaving.current = false;
          setFailed(error.message);
        },
      );
  };
  const answer = (index: number, value: string) => {
    if (leaving.current) return;
    const { id } = questions[index];
    const known = { ...latest.current, [id]: value };
    latest.current = known;
    setAnswers(known);
    const open = firstOpen(known);
    const isLast = open < 0 && index === questions.length - 1;
    setCurrent(index + 1 < questions.length ? index + 1 : Math.max(0, isLast ? index : open));
    leaving.current = isLast;
    // After a failure all answers are sent again; the server counts one that it has already only once.
    send(failed ? known : { [id]: value }, isLast);
  };
  const sendAgain = () => send(latest.current, firstOpen(latest.current) < 0);
  const isWhole = firstOpen(answers) < 0;
  const back = () => previous !== null && leave(previous);
  const forth = () => (following !== null || isWhole) && leave(following);
  const undo = () => (current > 0 ? setCurrent(current - 1) : back());

  useShortcuts('Review', [
    ...questions[current].answers.map(({ key, text, value }) => ({
      keys: key === ' ' ? 'Space' : key,
      does: `${questions[current].text} ${text}`,
      run: () => answer(current, value),
    })),
    { keys: 'Backspace ctrl+z', does: 'undo: to the question or picture before', run: undo },
    { keys: 'ArrowUp', does: 'question before', run: () => setCurrent(Math.max(0, current - 1)) },
    {
      keys: 'ArrowDown',
      does: 'next question',
      run: () => setCurrent(Math.min(questions.length - 1, current + 1)),
    },
    { keys: 'ArrowLeft', does: 'picture before', run: back },
    { keys: 'ArrowRight', does: 'next picture', run: forth },
    ...(failed ? [{ keys: 'Enter', does: 'send again', run: sendAgain }] : []),
  ]);

  return (
    <div class="turn">
      <img class="turn-picture" src={apiUrl(['reviews', review.id, 'picture'], { item: item.id })} alt={altOf(item)} />
      <div class="turn-side">
        <p class="turn-label">
          Label: <b>{item.label}</b>
        </p>
        {questions.map((question, index) => (
          <fieldset
            key={question.id}
            class={index === current ? 'question current' : 'question'}
            aria-current={index === current ? 'step' : undefined}
          >
            <legend>{question.text}</legend>
            <div class="row-buttons">
              {question.answers.map(({ value, text, key }) => (
                <button
                  key={value}
                  type="button"
                  aria-pressed={answers[question.id] === value}
                  onClick={() => answer(index, value)}
                >
                  {index === current && <kbd>{key}</kbd>} {text}
                </button>
              ))}
            </div>
          </fieldset>
        ))}
        {failed && (
          <p class="error" role="alert">
            Not saved: {failed}.{' '}
            <button type="button" onClick={sendAgain}>
              <kbd>Enter</kbd> Send again
            </button>
          </p>
        )}
        <div class="row-buttons">
          <button type="button" onClick={back} disabled={previous === null}>
            <kbd>←</kbd> Before
          </button>
          <button type="button" onClick={undo} disabled={previous === null && current === 0}>
            <kbd>Backspace</kbd> Undo
          </button>
          <button type="button" onClick={forth} disabled={following === null && !isWhole}>
            <kbd>→</kbd> Next
          </button>
        </div>
        <Facts facts={item.facts} />
      </div>
    </div>
  );
}

const altOf = ({ label }: ShownItem) => `The picture to judge, labelled ${label}`;

const Facts = ({ facts = {} }: { facts: ShownItem['facts'] }) => (
  <dl class="facts">
    {Object.entries(facts).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
