import type { Figure } from '../document.ts';
import { draw, fullWidth, type Key, marginFor, Plot } from './plot.ts';

export interface BackgroundRow {
  readonly model: string;
  readonly kind: 'original' | 'generated' | 'random';
  readonly scenario: string;
  readonly accuracy: number;
  readonly low: number | null;
  readonly high: number | null;
}

const keys: (Key & { kind: BackgroundRow['kind'] })[] = [
  { kind: 'original', label: 'own background', colour: '#0072b2', symbol: 'circle' },
  { kind: 'generated', label: 'generated background', colour: '#009e73', symbol: 'diamond' },
  { kind: 'random', label: 'random background', colour: '#d55e00', symbol: 'square' },
];

/** The same objects before their own, a generated and a random background: the supplement's Fig. 12. */
export function backgroundChart(rows: readonly BackgroundRow[], models: readonly string[]): Figure {
  const title = 'The same objects before their own, a generated and a random background';
  const labelled = rows.map((row) => ({ ...row, what: keys.find(({ kind }) => kind === row.kind)?.label as string }));
  const shown = keys.filter(({ kind }) => rows.some((row) => row.kind === kind));
  const svg = draw(
    {
      width: fullWidth,
      height: 70 + (16 * shown.length + 14) * models.length,
      marginLeft: marginFor(models),
      marginBottom: 40,
      x: {
        domain: [0, 100],
        percent: true,
        grid: true,
        label: 'right answers, %',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      fy: { domain: [...models], label: null, axis: 'left', padding: 0.15 },
      y: { domain: shown.map(({ label }) => label), axis: null },
      color: { domain: keys.map(({ label }) => label), range: keys.map(({ colour }) => colour) },
      symbol: { domain: keys.map(({ label }) => label), range: keys.map(({ symbol }) => symbol) as never },
      marks: [
        Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.4 }),
        Plot.ruleY(labelled, {
          fy: 'model',
          y: 'what',
          x1: 0,
          x2: 'accuracy',
          stroke: 'what',
          strokeOpacity: 0.3,
          strokeWidth: 6,
        }),
        Plot.ruleY(
          labelled.filter(({ low }) => low !== null),
          { fy: 'model', y: 'what', x1: 'low', x2: 'high', stroke: 'what', strokeWidth: 2 },
        ),
        Plot.dot(labelled, { fy: 'model', y: 'what', x: 'accuracy', fill: 'what', symbol: 'what', r: 4.5 }),
      ],
    },
    { title, legend: shown },
  );
  return {
    id: 'backgrounds',
    title,
    caption: 'The object’s pixels are the same in all of them. Thin bars are 95 % intervals.',
    svg,
    data: rows.map((row) => ({ ...row })),
  };
}
