import type { Figure } from '../document.ts';
import { draw, fullWidth, type Key, marginFor, Plot } from './plot.ts';

export interface ScoreRow {
  readonly model: string;
  readonly original: number | null;
  readonly originalCi: readonly [number, number] | null;
  /** Mean over the shifts. */
  readonly edited: number | null;
  readonly editedCi: readonly [number, number] | null;
  readonly worst: number | null;
  readonly worstScenario: string | null;
}

const marks: Key[] = [
  { label: 'as photographed', colour: '#0072b2', symbol: 'circle' },
  { label: 'mean over the shifts', colour: '#d55e00', symbol: 'square' },
  { label: 'worst shift', colour: '#6b6b6b', symbol: 'triangle' },
];

/** What is left of each model: unedited, over the shifts, and at its worst. */
export function scoreChart(rows: readonly ScoreRow[]): Figure {
  const title = 'Accuracy as photographed, over the shifts, and under the worst shift';
  const dots = rows.flatMap((row) =>
    [
      { model: row.model, what: marks[0].label, value: row.original, ci: row.originalCi },
      { model: row.model, what: marks[1].label, value: row.edited, ci: row.editedCi },
      { model: row.model, what: marks[2].label, value: row.worst, ci: null },
    ].filter(({ value }) => value !== null),
  );
  const spans = rows.flatMap((row) => {
    const values = [row.original, row.edited, row.worst].filter((value) => value !== null);
    return values.length > 1 ? [{ model: row.model, low: Math.min(...values), high: Math.max(...values) }] : [];
  });
  const svg = draw(
    {
      width: fullWidth,
      height: 50 + 34 * rows.length + 30,
      marginLeft: marginFor(rows.map(({ model }) => model)),
      marginBottom: 40,
      x: {
        domain: [0, 100],
        percent: true,
        grid: true,
        label: 'right answers, %',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: { domain: rows.map(({ model }) => model), label: null, tickSize: 0 },
      color: { domain: marks.map(({ label }) => label), range: marks.map(({ colour }) => colour) },
      symbol: { domain: marks.map(({ label }) => label), range: marks.map(({ symbol }) => symbol) as never },
      marks: [
        Plot.ruleY(spans, {
          y: 'model',
          x1: 'low',
          x2: 'high',
          stroke: 'currentColor',
          strokeOpacity: 0.25,
          strokeWidth: 1.5,
        }),
        Plot.ruleY(
          dots.filter(({ ci }) => ci),
          { y: 'model', x1: (d) => d.ci[0], x2: (d) => d.ci[1], stroke: 'what', strokeWidth: 4, strokeOpacity: 0.35 },
        ),
        Plot.dot(dots, { y: 'model', x: 'value', fill: 'what', symbol: 'what', r: 5 }),
      ],
    },
    { title, legend: marks },
  );
  return {
    id: 'scores',
    title,
    caption: 'Each line is a model. Bands are 95 % intervals; the closer the three marks, the less the scene matters.',
    svg,
    data: dots.map(({ model, what, value, ci }) => ({
      model,
      what,
      accuracy: value,
      low: ci?.[0] ?? null,
      high: ci?.[1] ?? null,
      scenario: what === marks[2].label ? (rows.find((row) => row.model === model)?.worstScenario ?? null) : null,
    })),
  };
}
