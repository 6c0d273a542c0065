import type { MiningRecord } from '../../../src/contracts/mining.ts';
import { pointsText } from '../../../src/contracts/mining-words.ts';
import { percent } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { minedHref } from './mined-query.ts';

const roles = ['target', 'surrogate', 'other'];

/** Each model on the hard set and on sets that were not chosen; those held out first. */
export function TransferTable({ run, mining }: { run: string; mining: MiningRecord }) {
  const rows = [...mining.transfer].sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
  const fresh = new Map((mining.freshSeed ?? []).map(({ model, freshSeed }) => [model, freshSeed]));
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Role</th>
            {['Hard set', 'Random set', 'Points lost', 'Beyond class and nuisance', 'On a fresh seed'].map((title) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ model, role, hard, random, fall, fallMatched }) => {
            const again = fresh.get(model);
            // Of a set that is all wrong, or all right, the whole is shown.
            const [right, wrong] = [hard.estimate > 0 ? [model] : undefined, hard.estimate < 1 ? [model] : undefined];
            const rightOfPool = random.estimate > 0 ? [model] : undefined;
            return (
              <tr key={model}>
                <th scope="row">{model}</th>
                <td>{role}</td>
                <NumberCell to={minedHref(run, { right })}>{percent(hard.estimate)}</NumberCell>
                <NumberCell to={minedHref(run, { set: 'pool', right: rightOfPool })}>
                  {percent(random.estimate)}
                </NumberCell>
                <NumberCell to={minedHref(run, { wrong })}>{pointsText(fall)}</NumberCell>
                <NumberCell to={minedHref(run, { wrong })}>{pointsText(fallMatched)}</NumberCell>
                <NumberCell to={again && minedHref(run, { wrong })}>{again ? pointsText(again) : '–'}</NumberCell>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
