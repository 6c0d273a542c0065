import type { MiningRecord } from '../../../src/contracts/mining.ts';
import { hundredthsOf } from '../../../src/contracts/numbers.ts';
import { heat } from '../parts/format.ts';
import { minedHref } from './mined-query.ts';

/** Share wrong in the pool, by model and kind of nuisance. */
export function FailsTable({ run, mining: { fails } }: { run: string; mining: MiningRecord }) {
  const nuisances = [...new Set(fails.map(({ nuisance }) => nuisance))];
  const models = [...new Set(fails.map(({ model }) => model))];
  return (
    <div class="scroll">
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">Wrong, %</th>
            {nuisances.map((nuisance) => (
              <th key={nuisance} scope="col" class="number">
                <a href={minedHref(run, { set: 'pool', nuisance })}>{nuisance}</a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model}>
              <th scope="row">
                <a href={minedHref(run, { set: 'pool', wrong: [model] })}>{model}</a>
              </th>
              {nuisances.map((nuisance) => {
                const cell = fails.find((row) => row.model === model && row.nuisance === nuisance);
                if (!cell?.n) return <td key={nuisance}>–</td>;
                return (
                  <td key={nuisance} class="number heat" style={heat(cell.wrong / cell.n)}>
                    <a
                      class="cell"
                      href={minedHref(run, { set: 'pool', wrong: cell.wrong ? [model] : undefined, nuisance })}
                      title={`${cell.wrong} of ${cell.n} wrong`}
                    >
                      {hundredthsOf(cell.wrong / cell.n)}
                    </a>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
