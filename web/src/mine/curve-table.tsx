import type { MiningRecord } from '../../../src/contracts/mining.ts';
import { percent } from '../parts/format.ts';
import { PlotFigure } from '../parts/plot.tsx';
import { minedHref } from './mined-query.ts';

/** How the accuracy of the models held out falls with the number of surrogates that all fail. */
export function CurveTable({ run, mining: { curve, selection } }: { run: string; mining: MiningRecord }) {
  const rows = curve.points.map(({ surrogates, accuracy, pictures, sets }) => ({
    surrogates,
    pictures,
    ...{ accuracy: 100 * accuracy.estimate, low: 100 * accuracy.ci[0], high: 100 * accuracy.ci[1] },
    words: `${surrogates} surrogates: ${percent(accuracy.estimate)} (${percent(accuracy.ci[0])} to ${percent(accuracy.ci[1])}), ${sets} sets`,
    to: minedHref(run, { set: 'pool', wrong: selection.surrogates.slice(0, surrogates) }),
  }));
  return (
    <PlotFigure
      label="Accuracy of the models held out by number of surrogates"
      of={rows.map(({ accuracy }) => accuracy).join()}
      draw={(Plot, width) => ({
        width: Math.min(width, 560),
        height: 260,
        marginBottom: 40,
        x: { label: 'surrogates that all fail', ticks: rows.map(({ surrogates }) => surrogates), tickFormat: 'd' },
        y: { label: 'accuracy, %', grid: true, zero: true },
        marks: [
          Plot.areaY(rows, { x: 'surrogates', y1: 'low', y2: 'high', fill: 'var(--accent)', fillOpacity: 0.15 }),
          Plot.lineY(rows, { x: 'surrogates', y: 'accuracy', stroke: 'var(--accent)', strokeWidth: 2 }),
          Plot.dot(rows, {
            ...{ x: 'surrogates', y: 'accuracy', r: 5, fill: 'var(--accent)' },
            ...{ href: 'to', title: 'words', ariaLabel: 'words' },
          }),
        ],
      })}
    />
  );
}
