import './review.css';
import type { ReviewAgreement, ReviewResults } from '../../../src/contracts/studio/review.ts';
import { apiUrl, get } from '../api.ts';
import type { PageProps } from '../pages.ts';
import { count, interval, percent } from '../parts/format.ts';
import { Loaded } from '../parts/state.tsx';
import { href, place, setQuery } from '../router.ts';
import { useData } from '../use-data.ts';
import { AgreementTable } from './agreement-table.tsx';
import { Disputes } from './disputes.tsx';

const outcomeNames = { kept: 'Kept', 'left-out': 'Left out', open: 'Open' } as const;
type Outcome = keyof typeof outcomeNames;

/** What came of a review: kept and why, how far the reviewers agree, and where someone has to decide. */
export function ReviewResultsPage({ params: { review } }: PageProps) {
  const as = place.value.query.get('as') ?? undefined;
  const results = useData(`results ${review}`, (signal) =>
    get<ReviewResults>(['reviews', review, 'results'], { signal }),
  );
  const agreement = useData(`agreement ${review}`, (signal) =>
    get<ReviewAgreement>(['reviews', review, 'agreement'], { signal }),
  );
  return (
    <section class="page">
      <Loaded of={results}>
        {(data) => (
          <>
            <header class="review-head">
              <h1>{data.title}: results</h1>
              <a href={href(['review', review], { as })}>To the pictures</a>
              <a href={apiUrl(['reviews', review, 'export.csv'])} download="review.csv">
                All as CSV
              </a>
              <a href={apiUrl(['reviews', review, 'export.json'])} download="review.json">
                and JSON
              </a>
            </header>
            <p>
              Kept where at least {data.rule.atLeast} say{' '}
              {Object.entries(data.rule.wanted)
                .map(([question, answer]) => `“${answer}” to ${question}`)
                .join(' and ')}
              ; {data.rule.votes} votes are wanted of each picture. So far{' '}
              {(Object.keys(outcomeNames) as Outcome[])
                .map((name) => `${count(countOf(data, name))} ${outcomeNames[name].toLowerCase()}`)
                .join(', ')}
              .
            </p>
            <h2>Agreement</h2>
            <Loaded of={agreement}>{(rows) => <AgreementTable rows={rows} questions={data.questions} />}</Loaded>
            <h2>On pictures whose answers are known</h2>
            <GoldTable gold={data.gold} />
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
  const asked = place.value.query.get('show');
  const shown = (Object.keys(outcomeNames) as Outcome[]).find((outcome) => outcome === asked) ?? 'kept';
  const rows = results.outcomes.filter(({ outcome }) => outcome === shown);
  return (
    <>
      <h2>Pictures</h2>
      <div class="row-buttons">
        {(Object.keys(outcomeNames) as Outcome[]).map((outcome) => (
          <button
            key={outcome}
            type="button"
            aria-pressed={outcome === shown}
            onClick={() => setQuery({ show: outcome }, { replace: true })}
          >
            {outcomeNames[outcome]}: {count(countOf(results, outcome))}
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
                src={apiUrl(['reviews', review, 'picture'], { item: item.id })}
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

const GoldTable = ({ gold }: { gold: ReviewResults['gold'] }) =>
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
            <th scope="col">95 % interval</th>
          </tr>
        </thead>
        <tbody>
          {gold.map(({ reviewer, right, asked, ci }) => (
            <tr key={reviewer}>
              <th scope="row">{reviewer}</th>
              <td class="number">{right}</td>
              <td class="number">{asked}</td>
              <td class="number">{percent(right / asked)}</td>
              <td>{interval(ci, percent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
