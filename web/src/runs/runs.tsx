import './runs.css';
import type { RunSummary, Workspace } from '../../../src/contracts/studio/runs.ts';
import { get, isStatic } from '../api.ts';
import { count, plural, time } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { Loaded } from '../parts/state.tsx';
import { href } from '../router.ts';
import { staticRuns } from '../static/run.ts';
import { useData } from '../use-data.ts';
import { QueuePanel } from './queue.tsx';

const pollMs = 2000;

/** Every run the studio was given, those under way with their progress. */
export function Runs() {
  const workspace = useData(
    'workspace',
    async (signal) =>
      isStatic ? { runs: await staticRuns(), datasets: [] } : get<Workspace>(['workspace'], { signal }),
    isStatic ? undefined : pollMs,
  );
  return (
    <section class="page">
      <h1>Runs</h1>
      <Loaded of={workspace}>
        {({ runs, datasets }) => (
          <>
            {runs.length ? <RunTable runs={runs} /> : <NoRuns />}
            {!isStatic && <Starting />}
            {!isStatic && <QueuePanel />}
            {datasets.length > 0 && (
              <>
                <h2>Datasets</h2>
                <ul class="plain">
                  {datasets.map(({ id, name }) => (
                    <li key={id}>{name}</li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Runs started here whose folder does not exist yet, or that failed before they made one. */
function Starting() {
  const starting = useData(
    'starting',
    (signal) => get<{ name: string; running: boolean; message: string | null }[]>(['starting'], { signal }),
    pollMs,
  );
  if (!starting.data?.length) return null;
  return (
    <ul class="plain" aria-label="Being started">
      {starting.data.map(({ name, running, message }) => (
        <li key={name}>
          <b>{name}</b> {running ? 'is being started' : 'could not be started'}: {message}
        </li>
      ))}
    </ul>
  );
}

const NoRuns = () => (
  <p>
    There is no run here yet. <code>sceneshift demo</code> makes one from the embedded benchmark;{' '}
    <code>sceneshift studio RUN</code> opens one.
  </p>
);

const pictures = ({ id, done }: RunSummary, group?: string): string | undefined =>
  done ? href(['runs', id, 'explore'], { group }) : undefined;

function RunTable({ runs }: { runs: readonly RunSummary[] }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Answers
            </th>
            <th scope="col" class="number">
              Samples
            </th>
            <th scope="col">Models</th>
            <th scope="col" class="number">
              Scenarios
            </th>
            <th scope="col" class="number">
              Errors
            </th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <a href={href(['runs', run.id])}>{run.name}</a>
              </th>
              <td>
                <State run={run} />
              </td>
              <NumberCell to={pictures(run)}>{count(run.done)}</NumberCell>
              <NumberCell to={pictures(run, 'sample')}>{count(run.samples)}</NumberCell>
              <td class="names">
                <a href={href(['runs', run.id])}>
                  {run.models.length > 3 ? plural(run.models.length, 'model') : run.models.join(', ')}
                </a>
              </td>
              <NumberCell to={pictures(run, 'scenario')}>{run.scenarios.length}</NumberCell>
              <NumberCell to={run.errors ? href(['runs', run.id]) : undefined}>{run.errors}</NumberCell>
              <td>
                <time dateTime={run.started ?? undefined}>{time(run.started)}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function State({ run }: { run: RunSummary }) {
  const share = run.total ? Math.min(1, run.done / run.total) : undefined;
  return (
    <span class={`state ${run.state}`}>
      {run.state}
      {run.state !== 'finished' && share !== undefined && (
        <>
          <progress value={share} max={1} aria-label={`Progress of ${run.name}`} /> {Math.floor(100 * share)} %
        </>
      )}
    </span>
  );
}
