import { fixedOf } from '../../../src/contracts/numbers.ts';
import type { StudioQueue } from '../../../src/contracts/studio/queue.ts';
import { get } from '../api.ts';
import { count, plural } from '../parts/format.ts';
import { useData } from '../use-data.ts';

const pollMs = 3000;

/** The queue that many machines take work from, where the studio was started with one. */
export function QueuePanel() {
  const queue = useData('queue', (signal) => get<StudioQueue>(['queue'], { signal }), pollMs);
  if (!queue.data?.url) return null;
  const { url, problem, waiting = 0, active = 0, delayed = 0, failed = 0, workers = [], failures = [] } = queue.data;
  const { chunksPerSecond, secondsLeft } = queue.data;
  return (
    <section aria-label="Queue">
      <h2>
        Queue <span class="soft">{url}</span>
      </h2>
      {problem ? (
        <p class="error">{problem}</p>
      ) : (
        <>
          <dl class="facts">
            <Fact name="waiting" value={count(waiting)} />
            <Fact name="under way" value={count(active)} />
            <Fact name="to be tried again" value={count(delayed)} />
            <Fact name="set aside" value={count(failed)} />
            <Fact name="chunks a second" value={chunksPerSecond ? fixedOf(chunksPerSecond, 2) : '…'} />
            <Fact
              name="time left"
              value={secondsLeft === null || secondsLeft === undefined ? '…' : duration(secondsLeft)}
            />
          </dl>
          <p>
            {plural(workers.length, 'worker')}
            {workers.length > 0 && `: ${workers.slice(0, 12).join(', ')}${workers.length > 12 ? ', …' : ''}`}
          </p>
          {failures.length > 0 && (
            <ul aria-label="Set aside">
              {failures.map(({ chunk, reason, tries }) => (
                <li key={chunk}>
                  <code>{chunk.slice(0, 8)}</code> after {tries} {tries === 1 ? 'try' : 'tries'}: {reason}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${fixedOf(seconds / 3600, 1)} h`;
}
