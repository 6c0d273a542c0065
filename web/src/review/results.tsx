import './review.css';
import { useEffect, useRef } from 'preact/hooks';
import type { ReviewResults } from '../../../src/contracts/studio/review.ts';
import { isStatic } from '../api.ts';
import type { PageProps } from '../pages.ts';
import { count, interval, percent } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { Loaded } from '../parts/state.tsx';
import { href, place, setQuery } from '../router.ts';
import { useData } from '../use-data.ts';
import { AgreementTable } from './agreement-table.tsx';
import { Disputes } from './disputes.tsx';
import { reviewData } from './review-data.ts';

const outcomeNames = { kept: 'Kept', 'left-out': 'Left out', open: 'Open' } as const;
type Outcome = keyof typeof outcomeNames;
const outcomesNamed = Object.keys(outcomeNames) as Outcome[];

/** What came of a review: kept and why, how far the reviewers agree, and where someone has to decide. */
export function ReviewResultsPage({ params: { review } }: PageProps) {
  const as = place.value.query.get('as') ?? undefined;
  const results = useData(`results ${review}`, (signal) => reviewData.results(review, signal));
  const agreement = useData(`agreement ${review}`, (signal) => reviewData.agreement(review, signal));
  return (
    <section class="page">
      <Loaded of={results}>
        {(data) => (
          <>
            <header class="review-head">
              <h1>{data.title}: results</h1>
              {!isStatic && <a href={href(['review', review], { as })}>To the pictures</a>}
              <a href={reviewData.exportUrl(review, 'csv')} download="review.csv">
                All as CSV
              </a>
              <a href={reviewData.exportUrl(review, 'json')} download="review.json">
                and JSON
              </a>
            </header>
            <p>
              Kept where at least {data.rule.atLeast} say{' '}
              {Object.entries(data.rule.wanted)
                .map(([question, answer]) => `“${answer}” to ${question}`)
                .join(' and ')}
              ; {data.rule.votes} votes are wanted of each picture. So far{' '}
              {outcomesNamed
                .map((name) => `${count(countOf(data, name))} ${outcomeNames[name].toLowerCase()}`)
                .join(', ')}
              .
            </p>
            <h2>Agreement</h2>
            <Loaded of={agreement}>
              {(rows) => <AgreementTable review={review} rows={rows} questions={data.questions} />}
            </Loaded>
            <h2>On pictures whose answers are known</h2>
            <GoldTable review={review} gold={data.gold} />
            <Disputes review={review} results={data} decider={as} onDecided={results.reload} />
            <Pictures review={review} results={data} />
          </>
        )}
      </Loaded>
    </section>
  );
}

const countOf = ({ outcomes }: ReviewResults, name: Outcome): number =>
  outcomes.filter(({ outcome }) => outcome === name).length;

function Pictures({ review, results }: { review: string; results: ReviewResults }) {
  const { query } = place.value;
  const [asked, question, by] = [query.get('show'), query.get('question'), query.getAll('by')];
  const shown = asked === 'all' ? 'all' : (outcomesNamed.find((outcome) => outcome === asked) ?? 'kept');
  const isJudged = ({ judgedBy }: ReviewResults['outcomes'][number]) => {
    const judges = question === null ? Object.values(judgedBy) : [judgedBy[question] ?? []];
    return judges.some((names) => by.every((name) => names.includes(name)) && (question === null || names.length > 1));
  };
  const isNarrowed = question !== null || by.length > 0;
  const narrowed = isNarrowed ? results.outcomes.filter(isJudged) : results.outcomes;
  const rows = narrowed.filter(({ outcome }) => shown === 'all' || outcome === shown);
  const heading = useRef<HTMLHeadingElement>(null);
  const narrowing = `${question} ${by}`;
  // Another number was clicked.
  useEffect(() => {
    if (isNarrowed) heading.current?.scrollIntoView({ block: 'start' });
  }, [narrowing]);
  return (
    <>
      <h2 ref={heading}>Pictures</h2>
      {isNarrowed && (
        <p>
          {count(narrowed.length)} judged by {by.length ? by.join(' and ') : 'two or more'}
          {question !== null && ` on “${results.questions.find(({ id }) => id === question)?.text ?? question}”`}.{' '}
          <a href={href(['review', review, 'results'], { as: query.get('as'), show: shown })}>Show all</a>
        </p>
      )}
      <div class="row-buttons">
        {(['all', ...outcomesNamed] as const).map((outcome) => (
          <button
            key={outcome}
            type="button"
            aria-pressed={outcome === shown}
            onClick={() => setQuery({ show: outcome }, { replace: true })}
          >
            {outcome === 'all' ? 'All' : outcomeNames[outcome]}:{' '}
            {count(narrowed.filter((row) => outcome === 'all' || row.outcome === outcome).length)}
          </button>
        ))}
      </div>
      {rows.length === 0 ? (
        <p class="soft">None.</p>
      ) : (
        <ul class="review-pictures">
          {rows.map(({ item, reason }) => (
            <li key={item.id}>
              <img
                loading="lazy"
                src={reviewData.pictureUrl(review, item.id)}
                alt={`${item.id}, labelled ${item.label}`}
              />
              <b>{item.label}</b>
              <span class="soft">{reason}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/**
 * Does not say which pictures have known answers, since a reviewer may look here: links lead to all pictures that the
 * reviewer judged.
 */
const GoldTable = ({ review, gold }: { review: string; gold: ReviewResults['gold'] }) =>
  gold.length === 0 ? (
    <p class="soft">Nobody has judged one yet, or the review has none.</p>
  ) : (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Reviewer</th>
            <th scope="col" class="number">
              Right
            </th>
            <th scope="col" class="number">
              Asked
            </th>
            <th scope="col" class="number">
              Share
            </th>
            <th scope="col" class="number">
              95 % interval
            </th>
          </tr>
        </thead>
        <tbody>
          {gold.map(({ reviewer, right, asked, ci }) => (
            <tr key={reviewer}>
              <th scope="row">{reviewer}</th>
              {[right, asked, percent(right / asked), interval(ci, percent)].map((number, i) => (
                <NumberCell key={i} to={href(['review', review, 'results'], { by: reviewer, show: 'all' })}>
                  {number}
                </NumberCell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
