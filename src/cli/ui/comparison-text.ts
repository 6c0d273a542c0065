import type { Comparison, DifferenceRow } from '../../contracts/comparison.ts';
import {
  equalsP,
  fixedOf,
  hundredthsOf,
  percentOf,
  rangeOf,
  signedHundredthsOf,
  signedOf,
} from '../../contracts/numbers.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import { probability, range, stars } from './cells.ts';
import { table } from './table.ts';
import { textWidth, wrap } from './wrap.ts';

const mostClasses = 6;

/** A comparison for people: the table, then what it says. */
export function comparisonText(comparison: Comparison, width = textWidth()): string {
  const { a, b, scenarios, notes } = comparison;
  return [
    wrap(`A: ${a.model} (${a.source}) · B: ${b.model} (${b.source})`, width, 2),
    table<DifferenceRow>(
      scenarios,
      [
        { title: 'scenario', flexible: true, cell: (row) => row.scenario },
        { title: 'pairs', align: 'right', spare: 2, cell: (row) => String(row.pairs) },
        { title: 'A %', align: 'right', cell: (row) => hundredthsOf(row.a) },
        { title: 'B %', align: 'right', cell: (row) => hundredthsOf(row.b) },
        { title: 'B − A', align: 'right', cell: (row) => signedHundredthsOf(row.difference) },
        { title: '95 %', cell: (row) => range(row.ci) },
        { title: '+/−', align: 'right', spare: 3, cell: (row) => `${row.gained}/${row.lost}` },
        { title: 'P (Holm)', align: 'right', spare: 1, cell: (row) => probability(row.pHolm) },
        { title: '', cell: (row) => stars(row.pHolm) },
      ],
      width,
    ),
    '',
    ...lines(comparison).map((line) => wrap(line, width, 2)),
    ...notes.map((note) => wrap(`! ${note}`, width, 2)),
  ].join('\n');
}

const span = (needed: readonly number[]) => {
  const [least, most] = [Math.min(...needed), Math.max(...needed)];
  return least === most ? `${least}` : `${least} to ${most} (by scenario)`;
};

function lines({ overall, robustness, classes, flipped, flips, power }: Comparison): string[] {
  const verdict =
    overall.ci && overall.ci[0] > 0
      ? 'B is better'
      : overall.ci && overall.ci[1] < 0
        ? 'A is better'
        : 'no difference is shown';
  const result = [
    `Over ${overall.scenarios} scenarios B − A is ${signedHundredthsOf(overall.difference)} points${overall.ci ? ` (${range(overall.ci)}, ${equalsP(overall.p)})` : ''}: ${verdict}.`,
  ];
  if (robustness)
    result.push(
      `Robustness ${fixedOf(robustness.a, 4)} and ${fixedOf(robustness.b, 4)}; difference without sampling noise ${signedOf(robustness.debiased, 4)}${robustness.ci ? ` (${rangeOf(robustness.ci, (end) => fixedOf(end, 4))})` : ''}.`,
    );
  const changed = classes.filter(({ pHolm }) => pHolm <= 0.05).sort((x, y) => x.p - y.p);
  if (changed.length)
    result.push(
      `Classes that changed: ${changed
        .slice(0, mostClasses)
        .map((row) => `${shownLabel(row.class)} on ${row.scenario} ${signedHundredthsOf(row.difference)}`)
        .join('; ')}${changed.length > mostClasses ? ` and ${changed.length - mostClasses} more` : ''}.`,
    );
  const gained = flips.filter(({ change }) => change === 'gained').length;
  result.push(
    flipped === 0
      ? 'No answer turned.'
      : `${flipped} answers turned${flips.length === flipped ? ` (${gained} to right, ${flipped - gained} to wrong)` : ''}; --flips FILE lists them.`,
  );
  const needed = power.scenarios.flatMap(({ images }) => (images === null ? [] : [images]));
  if (needed.length)
    result.push(
      `To show a difference of ${hundredthsOf(power.detect)} points (power ${percentOf(power.power, 0)}): ${span(needed)} images.`,
    );
  return result;
}
