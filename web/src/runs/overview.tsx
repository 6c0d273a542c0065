import { countedOf } from '../../../src/contracts/numbers.ts';
import type { Score } from '../../../src/contracts/score.ts';
import type { RunSummary } from '../../../src/contracts/studio/runs.ts';
import { get, isStatic, notice, post } from '../api.ts';
import { runData } from '../explore/run-data.ts';
import type { PageProps } from '../pages.ts';
import { plural, time } from '../parts/format.ts';
import { Loaded } from '../parts/state.tsx';
import { href } from '../router.ts';
import { readData } from '../static/read-data.ts';
import { staticRun } from '../static/run.ts';
import { useData } from '../use-data.ts';
import { AccuracyTable } from './accuracy-table.tsx';
import { Confusions } from './confusions.tsx';
import { DropsFigure } from './drops-figure.tsx';
import { ErrorTable } from './error-table.tsx';
import { State } from './runs.tsx';

const pollMs = 3000;

/** A run at a glance; every number leads to the pictures behind it. */
export function Overview({ params: { run } }: PageProps) {
  const summary = useData(
    run,
    (signal) => (isStatic ? staticRun(run) : get<RunSummary>(['runs', run], { signal })),
    isStatic ? undefined : pollMs,
  );
  return (
    <section class="page wide">
      <Loaded of={summary}>
        {(found) => (
          <>
            <h1>{found.name}</h1>
            <p>
              <State run={found} /> {plural(found.done, 'answer')} · {plural(found.samples, 'sample')} ·{' '}
              {countedOf(found.classes, 'class', 'classes')} · {plural(found.models.length, 'model')} ·{' '}
              {plural(found.scenarios.length, 'scenario')} · {found.errors} errors · {time(found.started)}
            </p>
            {found.message && <p class="soft">{found.message}</p>}
            {!isStatic && <Controls run={found} reload={summary.reload} />}
            {found.done > 0 && <Numbers run={run} done={found.done} />}
            {found.errors > 0 && !isStatic && <ErrorTable run={run} errors={found.errors} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Controls({ run, reload }: { run: RunSummary; reload: () => void }) {
  const act = (what: 'stop' | 'continue') => () =>
    post(['runs', run.id, what], {})
      .then(() => {
        notice.value = what === 'stop' ? 'It finishes the shard in hand and stops' : 'It goes on where it stopped';
        reload();
      })
      .catch((error: Error) => {
        notice.value = error.message;
      });
  return (
    <div class="row-buttons">
      <a href={href(['runs', run.id, 'explore'])}>Explore the pictures</a>
      {run.models.length > 1 && (
        <a href={href(['compare'], { a: run.id, b: run.id, modelA: run.models[0], modelB: run.models[1] })}>
          Compare models
        </a>
      )}
      {run.state === 'running' && run.here && (
        <button type="button" onClick={act('stop')}>
          Stop
        </button>
      )}
      {run.state === 'stopped' && (
        <button type="button" onClick={act('continue')}>
          Continue
        </button>
      )}
    </div>
  );
}

function Numbers({ run, done }: { run: string; done: number }) {
  const key = `${run} ${done}`;
  const cross = useData(key, (signal) => runData.cross(run, new URLSearchParams(), 'model', 'scenario', signal));
  const confused = useData(key, (signal) =>
    runData.cross(run, new URLSearchParams({ outcome: 'wrong' }), 'class', 'answered', signal),
  );
  const score = useData(`score ${key}`, (signal) =>
    isStatic ? staticScore(run) : get<Score>(['runs', run, 'score'], { signal }),
  );
  return (
    <>
      <h2>Accuracy</h2>
      <Loaded of={cross}>{(table) => <AccuracyTable run={run} table={table} score={score.data} />}</Loaded>
      <h2>What each edit costs</h2>
      <p class="soft">
        Accuracy on the original minus accuracy on the same samples edited, with 95 % intervals; points to the right are
        losses.
      </p>
      {score.error && <p class="error">{score.error}</p>}
      {!score.data && !score.error && <p class="waiting">Intervals are being computed …</p>}
      {score.data && <DropsFigure run={run} score={score.data} />}
      <h2>What is taken for what</h2>
      <Loaded of={confused}>{(table) => <Confusions run={run} table={table} />}</Loaded>
    </>
  );
}

const staticScore = (run: string): Promise<Score> => readData([run, 'score.json']);
