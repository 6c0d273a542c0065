import { fixedOf, hundredthsOf, rangeOf, signedHundredthsOf, smallOf } from '../../contracts/numbers.ts';
import type { Score } from '../../contracts/score.ts';
import type { HeadDifference, HeadSummary, MatrixCell } from '../../contracts/training.ts';
import { probability, range, stars } from './cells.ts';
import { table } from './table.ts';
import { textWidth, wrap } from './wrap.ts';

interface Trained {
  readonly scenarios: readonly HeadSummary[];
  readonly matrix: readonly MatrixCell[];
  readonly differences: readonly HeadDifference[];
  readonly folds: number;
}

const original = 'original';

/** What training came to, for people. */
export function trainingText(
  { scenarios, matrix, differences, folds }: Trained,
  score: Score,
  width = textWidth(),
): string {
  return [
    headTable(scenarios, matrix, differences, width),
    wrap(
      `± is the spread over the ${folds} folds, not a standard error. “gain” is the head trained here minus the head trained on original, both tested here; its P is corrected for folds that share training images (Nadeau and Bengio) and for the number of scenarios (Holm).`,
      width,
    ),
    mixtureTable(scenarios, differences, width),
    matrixText(matrix, width),
    ...score.models.flatMap(({ robustness }) =>
      robustness
        ? [
            wrap(
              `Robustness ${fixedOf(robustness.score, 4)} = 1 − (cross ${smallOf(robustness.cross)}${robustness.inner === null ? '' : ` + inner ${smallOf(robustness.inner)}`})${robustness.ci ? `, 95 % ${rangeOf(robustness.ci, (end) => fixedOf(end, 4))}` : ''}: cross is trained on original and tested elsewhere, inner is trained and tested in the same scenario.`,
              width,
              2,
            ),
          ]
        : [],
    ),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function headTable(
  heads: readonly HeadSummary[],
  matrix: readonly MatrixCell[],
  differences: readonly HeadDifference[],
  width: number,
): string {
  const cross = (tested: string) => matrix.find((cell) => cell.trained === original && cell.tested === tested);
  const gain = (name: string) =>
    differences.find(({ trained, tested, against }) => trained === name && tested === name && against.tested === name);
  return table(
    heads.filter(({ on }) => on.length === 1),
    [
      { title: 'scenario', flexible: true, cell: ({ trained }) => trained },
      { title: 'trained here %', align: 'right', cell: ({ accuracy }) => hundredthsOf(accuracy) },
      { title: '±', align: 'right', cell: ({ foldSpread }) => hundredthsOf(foldSpread) },
      { title: 'original’s head %', align: 'right', cell: ({ trained }) => hundredthsOf(cross(trained)?.accuracy) },
      { title: 'gain', align: 'right', cell: ({ trained }) => signed(gain(trained)?.difference) },
      { title: '95 %', cell: ({ trained }) => range(gain(trained)?.ci) },
      { title: 'P', align: 'right', cell: ({ trained }) => probability(gain(trained)?.pHolm) },
      { title: '', cell: ({ trained }) => stars(gain(trained)?.pHolm) },
    ],
    width,
  );
}

const signed = (share: number | undefined) => (share === undefined ? '' : signedHundredthsOf(share));

function mixtureTable(heads: readonly HeadSummary[], differences: readonly HeadDifference[], width: number): string {
  const names = heads.filter(({ on }) => on.length > 1).map(({ trained }) => trained);
  const rows = differences.filter(({ trained }) => names.includes(trained));
  if (!rows.length) return '';
  return table(
    rows,
    [
      { title: 'trained on', flexible: true, cell: ({ trained }) => trained },
      { title: 'tested on', flexible: true, cell: ({ tested }) => tested },
      { title: 'against original', align: 'right', cell: ({ difference }) => signed(difference) },
      { title: '95 %', cell: ({ ci }) => range(ci) },
      { title: 'P', align: 'right', cell: ({ pHolm }) => probability(pHolm) },
      { title: '', cell: ({ pHolm }) => stars(pHolm) },
    ],
    width,
  );
}

/** Trained on (rows) × tested on (columns); the columns carry the rows' numbers. */
function matrixText(matrix: readonly MatrixCell[], width: number): string {
  const trained = [...new Set(matrix.map((cell) => cell.trained))];
  const tested = [...new Set(matrix.map((cell) => cell.tested))];
  const cells = new Map(matrix.map((cell) => [`${cell.trained}\u0000${cell.tested}`, cell.accuracy]));
  const columns = tested.map((name, i) => ({
    title: String(i + 1),
    align: 'right' as const,
    cell: (row: string) => {
      const accuracy = cells.get(`${row}\u0000${name}`);
      return accuracy === undefined ? '' : hundredthsOf(accuracy, 0);
    },
  }));
  if (columns.length * 5 + 16 > width)
    return `The matrix of ${trained.length} × ${tested.length}, trained on and tested on, is in the report and with --json.`;
  const number = (name: string) => (tested.includes(name) ? String(tested.indexOf(name) + 1) : '');
  return table(
    trained,
    [
      { title: '', align: 'right', cell: number },
      { title: 'trained on ↓, tested on →, %', flexible: true, cell: (name) => name },
      ...columns,
    ],
    width,
  );
}
