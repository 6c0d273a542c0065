import './annotate.css';
import { useState } from 'preact/hooks';
import {
  type AnnotateDataset,
  type AnnotatedSample,
  type AnnotateShow,
  annotateShows,
  type MaskState,
} from '../../../src/contracts/studio/annotate.ts';
import { apiUrl, get } from '../api.ts';
import { useShortcuts } from '../keys.ts';
import type { PageProps } from '../pages.ts';
import { Loaded } from '../parts/state.tsx';
import { go, href, place, setQuery } from '../router.ts';
import { useData } from '../use-data.ts';
import { showOf } from './draw.tsx';

const showWords: Record<AnnotateShow, string> = {
  todo: 'To do',
  missing: 'Missing',
  doubtful: 'Doubtful',
  drawn: 'Drawn here',
  all: 'All',
};
const stateWords: Record<MaskState, string> = {
  unusable: 'cannot be used',
  missing: 'no mask',
  doubtful: 'doubtful',
  unlooked: 'not looked at yet',
  good: 'good',
  'no-picture': 'cannot be opened',
};
const pageSize = 60;

/** The masks of a dataset, the worst first: what `dataset check --sheet` draws, to be mended here. */
export function Sheet({ params }: PageProps) {
  const { dataset } = params;
  const show = showOf(place.value.query.get('show'));
  const [count, setCount] = useState(pageSize);
  const [everyMs, setEvery] = useState<number | undefined>(1000);
  const sheet = useData(
    `${dataset} ${show} ${count}`,
    async (signal) => {
      const found = await get<AnnotateDataset>(['annotate', dataset], { query: { show, count }, signal });
      setEvery(found.looked < found.toLook ? 1000 : undefined);
      return found;
    },
    everyMs,
  );
  const first = sheet.data?.samples[0];
  const begin = first && href(['annotate', dataset, 'draw'], { show, sample: first.id });
  useShortcuts('Masks', [{ keys: 'n', does: 'open the first', run: () => begin && go(begin) }]);
  return (
    <section class="page wide annotate-sheet">
      <Loaded of={sheet}>
        {({ name, folder, use, made, counts, looked, toLook, samples }) => (
          <>
            <h1>Masks of {name}</h1>
            <p class="soft">
              Drawn masks are saved in <code>{folder}</code>; the dataset’s own are left as they are.
              {looked < toLook && ` ${looked} of ${toLook} masks looked at.`}
            </p>
            <fieldset class="row-buttons bare">
              <legend class="unseen">Which masks</legend>
              {annotateShows.map((each) => (
                <button key={each} type="button" aria-pressed={each === show} onClick={() => setQuery({ show: each })}>
                  {showWords[each]} <span class="soft">{counts[each]}</span>
                </button>
              ))}
              {begin && (
                <a class="begin" href={begin}>
                  Begin with the first
                </a>
              )}
            </fieldset>
            {samples.length === 0 && <p>Nothing here{looked < toLook ? ' yet' : ''}.</p>}
            <ul class="plain mask-tiles">
              {samples.map((sample) => (
                <MaskTile key={sample.id} dataset={dataset} show={show} sample={sample} />
              ))}
            </ul>
            {counts[show] > samples.length && (
              <button type="button" onClick={() => setCount(Math.min(500, count + pageSize))}>
                More
              </button>
            )}
            {counts.drawn > 0 && (
              <>
                <h2>Use them</h2>
                {use.map((line) => (
                  <p key={line}>
                    <code>{line}</code>
                  </p>
                ))}
                {made !== null && (
                  <p>
                    Or <a href={href(['start'], { dataset: made })}>start a run with them</a> here.
                  </p>
                )}
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function MaskTile({ dataset, show, sample }: { dataset: string; show: AnnotateShow; sample: AnnotatedSample }) {
  const { id, state, doubts, drawn } = sample;
  const [hasFailed, setFailed] = useState(false);
  return (
    <li class={`mask-tile ${state}`}>
      <a href={href(['annotate', dataset, 'draw'], { show, sample: id })}>
        {hasFailed ? (
          <span class="no-picture">The photograph cannot be read</span>
        ) : (
          <img
            loading="lazy"
            alt=""
            src={apiUrl(['annotate', dataset, 'tile'], { sample: id, is: `${state}${drawn}` })}
            onError={() => setFailed(true)}
          />
        )}
        <span class="tile-line">{id}</span>
        <span class="tile-line state">
          {stateWords[state]}
          {drawn && ' · drawn here'}
        </span>
      </a>
      {doubts.map((doubt) => (
        <p key={doubt}>{doubt}</p>
      ))}
    </li>
  );
}
