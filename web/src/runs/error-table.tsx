import type { ErrorLine } from '../../../src/contracts/prediction.ts';
import { get } from '../api.ts';
import { Loaded } from '../parts/state.tsx';
import { href } from '../router.ts';
import { useData } from '../use-data.ts';

const mostShown = 100;

/** What could not be asked, and why; each leads to its photograph. */
export function ErrorTable({ run, errors }: { run: string; errors: number }) {
  const lines = useData(`errors ${run} ${errors}`, (signal) => get<ErrorLine[]>(['runs', run, 'errors'], { signal }));
  return (
    <>
      <h2>What could not be asked</h2>
      <Loaded of={lines}>
        {(all) => (
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  {['Sample', 'Scenario', 'Model', 'Why'].map((title) => (
                    <th key={title} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {all.slice(0, mostShown).map(({ sample, scenario, model, message }, i) => (
                  <tr key={i}>
                    <th scope="row">
                      <a href={href(['runs', run, 'sample'], { id: sample, scenario })}>{sample}</a>
                    </th>
                    <td>{scenario ?? 'all'}</td>
                    <td>{model ?? 'all'}</td>
                    <td>{message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {all.length > mostShown && (
              <p class="soft">
                The first {mostShown} of {all.length}.
              </p>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}
