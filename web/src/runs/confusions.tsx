import type { CrossTally } from '../../../src/contracts/studio/explore.ts';
import { count } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { href } from '../router.ts';

const most = 20;

/** The commonest confusions; each leads to its pictures. */
export function Confusions({ run, table: { rows, columns, answers } }: { run: string; table: CrossTally }) {
  const pairs = rows
    .flatMap((asked, r) => columns.map((answered, c) => ({ asked, answered, n: answers[r * columns.length + c] })))
    .filter(({ n }) => n)
    .sort((a, b) => b.n - a.n)
    .slice(0, most);
  if (!pairs.length) return <p class="soft">Nothing is wrong.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Asked</th>
          <th scope="col">Answered</th>
          <th scope="col" class="number">
            Times
          </th>
        </tr>
      </thead>
      <tbody>
        {pairs.map(({ asked, answered, n }) => (
          <tr key={`${asked}\n${answered}`}>
            <td class="long-name" title={asked}>
              {asked}
            </td>
            <td class="long-name wrong" title={answered}>
              {answered}
            </td>
            <NumberCell to={href(['runs', run, 'explore'], { class: asked, answered, outcome: 'wrong' })}>
              {count(n)}
            </NumberCell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
