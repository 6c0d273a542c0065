import type { MiningRecord, Released } from '../../../src/contracts/mining.ts';
import {
  agreementText,
  curveSentence,
  freshSentence,
  selectionSentence,
  transferSentence,
} from '../../../src/contracts/mining-words.ts';
import type { MinePage } from '../../../src/contracts/studio/mine.ts';
import { get, isStatic } from '../api.ts';
import type { PageProps } from '../pages.ts';
import { plural } from '../parts/format.ts';
import { Loaded } from '../parts/state.tsx';
import { href } from '../router.ts';
import { staticMine } from '../static/mine.ts';
import { useData } from '../use-data.ts';
import { CurveTable } from './curve-table.tsx';
import { FailsTable } from './fails-table.tsx';
import '../runs/runs.css';
import './mine.css';
import { MinedGallery } from './mined-gallery.tsx';
import { minedHref } from './mined-query.ts';
import { ModesTable } from './modes-table.tsx';
import { TransferMatrix } from './transfer-matrix.tsx';
import { TransferTable } from './transfer-table.tsx';

/** Pictures that several models fail; every number leads to the pictures behind it. */
export function Mined({ params: { run } }: PageProps) {
  const page = useData(`mine ${run}`, (signal) =>
    isStatic ? staticMine(run) : get<MinePage>(['runs', run, 'mine'], { signal }),
  );
  return (
    <section class="page wide">
      <h1>Mined pictures</h1>
      <Loaded of={page}>
        {({ mining, released }) =>
          mining ? <Found run={run} mining={mining} released={released} /> : <NotMined run={run} />
        }
      </Loaded>
    </section>
  );
}

const NotMined = ({ run }: { run: string }) => (
  <p>
    This run has not been mined. <code>sceneshift mine {run} --surrogates A,B,C</code> chooses the pictures that these
    models fail and asks whether the others fail them too.
  </p>
);

function Found({ run, mining, released }: { run: string; mining: MiningRecord; released: Released | null }) {
  return (
    <>
      <p>
        {selectionSentence(mining)} {transferSentence(mining)}
      </p>
      <p class="row-buttons">
        <a href={minedHref(run, { set: 'pool' })}>The pool: {plural(mining.pool.pictures, 'picture')}</a>
        <a href={minedHref(run, {})}>The hard set: {plural(mining.chosen.length, 'picture')}</a>
        {released ? (
          <a href={minedHref(run, { set: 'released' })}>Released: {plural(released.pictures, 'picture')}</a>
        ) : (
          <span class="soft">Nothing released yet</span>
        )}
        <a href={href(['review'])}>Review queues</a>
      </p>
      <MinedGallery run={run} mining={mining} />
      <h2>What each model fails</h2>
      <FailsTable run={run} mining={mining} />
      <h2>Do the failures transfer?</h2>
      <TransferTable run={run} mining={mining} />
      <p class="soft">{freshSentence(mining)}</p>
      <h2>Every model on what others fail</h2>
      <TransferMatrix run={run} mining={mining} />
      <h2>How many surrogates</h2>
      <p class="soft">{curveSentence(mining)}</p>
      <CurveTable run={run} mining={mining} />
      <h2>What wrong answers have in common</h2>
      <ModesTable run={run} mining={mining} />
      {released && <ReleasedSet run={run} released={released} />}
    </>
  );
}

function ReleasedSet({ run, released: { review, byNuisance, leftOut, folder } }: { run: string; released: Released }) {
  return (
    <>
      <h2>The released set</h2>
      <p>
        {folder && (
          <>
            In <code>{folder}</code>:{' '}
          </>
        )}
        {byNuisance.map(({ nuisance, pictures }, i) => (
          <span key={nuisance}>
            {i > 0 && ', '}
            {nuisance} <a href={minedHref(run, { set: 'released', nuisance })}>{pictures}</a>
          </span>
        ))}
        .{' '}
        {review
          ? `${review.reviewers.join(', ')} looked at them; ${review.rule}; ${plural(leftOut, 'picture')} left out.`
          : 'Nobody reviewed them.'}
      </p>
      {review && review.agreement.length > 0 && (
        <ul>
          {review.agreement.map(({ question, alpha, ci }) => (
            <li key={question}>{agreementText({ question, alpha, ci })}</li>
          ))}
        </ul>
      )}
    </>
  );
}
