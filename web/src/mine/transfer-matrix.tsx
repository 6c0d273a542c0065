import type { MiningRecord } from '../../../src/contracts/mining.ts';
import { pointsText } from '../../../src/contracts/mining-words.ts';
import { hundredthsOf } from '../../../src/contracts/numbers.ts';
import { heat } from '../parts/format.ts';
import { place, setQuery } from '../router.ts';
import { minedHref } from './mined-query.ts';

/** Accuracy of each model on what a set of others all fail; a cell leads to those it gets wrong too, if any. */
export function TransferMatrix({ run, mining: { matrix } }: { run: string; mining: MiningRecord }) {
  const sizes = [...new Set(matrix.map(({ surrogates }) => surrogates.length))].sort();
  const size = sizes.find((one) => String(one) === place.value.query.get('of')) ?? sizes[0];
  const rows = matrix.filter(({ surrogates }) => surrogates.length === size);
  const sets = [...new Map(rows.map(({ surrogates }) => [surrogates.join('\n'), surrogates])).values()];
  const targets = [...new Set(rows.map(({ target }) => target))].sort();
  if (!rows.length) return <p class="soft">No model fails anything.</p>;
  return (
    <>
      <label>
        Models that must all fail{' '}
        <select value={size} onChange={(event) => setQuery({ of: event.currentTarget.value }, { replace: true })}>
          {sizes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <div class="scroll mined-matrix">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Right, %</th>
              {targets.map((target) => (
                <th key={target} scope="col" class="number slanted">
                  {target}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sets.map((set) => (
              <tr key={set.join('\n')}>
                <th scope="row">
                  <a href={minedHref(run, { set: 'pool', wrong: set })}>{set.join(' + ')}</a>
                </th>
                {targets.map((target) => {
                  const cell = rows.find(
                    (row) => row.target === target && row.surrogates.join('\n') === set.join('\n'),
                  );
                  if (!cell) return <td key={target} />;
                  return (
                    <td key={target} class="number heat" style={heat(1 - cell.accuracy)}>
                      <a
                        class="cell"
                        href={minedHref(run, { set: 'pool', wrong: cell.accuracy < 1 ? [...set, target] : set })}
                        title={`${cell.n} pictures; ${pointsText(cell.fall)} points lost`}
                      >
                        {hundredthsOf(cell.accuracy, 0)}
                      </a>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
