import type { RunSummary } from '../../../src/contracts/studio/runs.ts';
import { get } from '../api.ts';
import type { PageProps } from '../pages.ts';
import { plural } from '../parts/format.ts';
import { Loaded } from '../parts/state.tsx';
import { useData } from '../use-data.ts';
import { State } from './runs.tsx';

export function Overview({ params: { run } }: PageProps) {
  const summary = useData(run, (signal) => get<RunSummary>(['runs', run], { signal }), 2000);
  return (
    <section class="page">
      <Loaded of={summary}>
        {(found) => (
          <>
            <h1>{found.name}</h1>
            <p>
              <State run={found} /> {plural(found.done, 'answer')}, {plural(found.samples, 'sample')},{' '}
              {plural(found.models.length, 'model')}
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}
