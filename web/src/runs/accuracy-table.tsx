import { hundredthsOf } from '../../../src/contracts/numbers.ts';
import type { Score } from '../../../src/contracts/score.ts';
import type { CrossTally } from '../../../src/contracts/studio/explore.ts';
import { count, heat, interval, percent } from '../parts/format.ts';
import { href } from '../router.ts';

interface TableProps {
  readonly run: string;
  readonly table: CrossTally;
  readonly score: Score | undefined;
}

/** Share right, by model and scenario; the darker, the more is wrong. Each leads to what is wrong there, or to all where nothing is. */
export function AccuracyTable({ run, table: { rows, columns, answers, wrong }, score }: TableProps) {
  const ci = (model: string, scenario: string) =>
    score?.models.find((one) => one.model === model)?.scenarios.find((one) => one.scenario === scenario)?.ci;
  return (
    <div class="scroll">
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">Model</th>
            {columns.map((scenario) => (
              <th key={scenario} scope="col" class="number slanted">
                <a href={href(['runs', run, 'explore'], { scenario, outcome: 'wrong' })}>{scenario}</a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((model, r) => (
            <tr key={model}>
              <th scope="row" class="long-name" title={model}>
                <a href={href(['runs', run, 'explore'], { model, outcome: 'wrong' })}>{model}</a>
              </th>
              {columns.map((scenario, c) => {
                const n = answers[r * columns.length + c];
                const bad = wrong[r * columns.length + c];
                if (!n)
                  return (
                    <td key={scenario} class="number soft">
                      –
                    </td>
                  );
                return (
                  <td key={scenario} class="number heat" style={heat(bad / n)}>
                    <a
                      class="cell"
                      href={href(['runs', run, 'explore'], { model, scenario, outcome: bad ? 'wrong' : undefined })}
                      title={`${count(n - bad)} of ${count(n)} right; 95 % interval ${interval(ci(model, scenario), percent)}; click for ${bad ? `the ${count(bad)} wrong` : `all ${count(n)}`}`}
                    >
                      {hundredthsOf((n - bad) / n)}
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
