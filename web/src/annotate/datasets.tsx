import './annotate.css';
import type { AnnotateDatasets } from '../../../src/contracts/studio/annotate.ts';
import { get } from '../api.ts';
import { Loaded } from '../parts/state.tsx';
import { href } from '../router.ts';
import { useData } from '../use-data.ts';

/** The datasets whose masks can be drawn here. */
export function AnnotateDatasetsPage() {
  const datasets = useData('annotate', (signal) => get<AnnotateDatasets>(['annotate'], { signal }));
  return (
    <section class="page">
      <h1>Annotate</h1>
      <Loaded of={datasets}>
        {({ datasets: given, others }) => (
          <>
            {given.length > 0 && (
              <ul class="plain">
                {given.map(({ id, name }) => (
                  <li key={id}>
                    <a href={href(['annotate', id])}>{name}</a>
                  </li>
                ))}
              </ul>
            )}
            {given.length === 0 && <p>No dataset was given to the studio.</p>}
            {(given.length === 0 || others.length > 0) && (
              <p>
                Masks are drawn for datasets that are named when the studio starts:{' '}
                <code>sceneshift studio {others[0]?.name ?? 'photos/'} --annotate</code>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
