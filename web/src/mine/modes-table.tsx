import type { MiningRecord } from '../../../src/contracts/mining.ts';
import { modeAdvice, modeName, shownModes } from '../../../src/contracts/mining-words.ts';
import { fixedOf } from '../../../src/contracts/numbers.ts';
import { interval, percent, probability } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { minedHref } from './mined-query.ts';

const times = (value: number) => `${fixedOf(value, 1)} ×`;

/** What wrong answers have in common, beyond chance; the numbers lead to examples. */
export function ModesTable({ run, mining }: { run: string; mining: MiningRecord }) {
  const modes = shownModes(mining);
  const examples = (mode: (typeof modes)[number]) => minedHref(run, { mode: mining.modes.indexOf(mode) });
  return (
    <>
      {modes.length === 0 && <p>No property of the pictures is shown to go with being failed.</p>}
      {modes.length > 0 && (
        <div class="scroll mined-modes">
          <table>
            <thead>
              <tr>
                <th scope="col">Mode</th>
                {['Pictures', 'Wrong', 'Elsewhere', 'Times', '95 % interval', 'P corrected'].map((title) => (
                  <th key={title} scope="col" class="number">
                    {title}
                  </th>
                ))}
                <th scope="col">What to do</th>
              </tr>
            </thead>
            <tbody>
              {modes.map((mode) => (
                <tr key={modeName(mode)}>
                  <th scope="row">{modeName(mode)}</th>
                  <NumberCell to={examples(mode)}>{mode.pictures}</NumberCell>
                  <NumberCell to={examples(mode)}>{percent(mode.fails)}</NumberCell>
                  <NumberCell to={minedHref(run, { set: 'pool' })}>{percent(mode.elsewhere)}</NumberCell>
                  <NumberCell to={examples(mode)}>{mode.ratio === null ? '–' : times(mode.ratio)}</NumberCell>
                  <NumberCell to={examples(mode)}>{mode.ci ? interval(mode.ci, times) : '–'}</NumberCell>
                  <NumberCell to={examples(mode)}>{probability(mode.pCorrected)}</NumberCell>
                  <td>{modeAdvice(mode)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {mining.modesMissing.map((what) => (
        <p key={what} class="soft">
          Not looked for: {what}.
        </p>
      ))}
    </>
  );
}
