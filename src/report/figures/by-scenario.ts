import { draw, fullWidth, keyScales, keysOf, marginFor, Plot } from './plot.ts';

interface ByScenarioOptions {
  readonly title: string;
  /** Of the scenarios, from top to bottom. */
  readonly titles: readonly string[];
  readonly models: readonly string[];
  readonly x: Plot.ScaleOptions;
  readonly marks: Plot.Markish[];
  /** Height of a scenario's band. */
  readonly bandPx?: number;
}

/** A band for each scenario and in it a line for each model; rows have `title` and `model`. */
export function drawByScenario({
  title,
  titles,
  models,
  x,
  marks,
  bandPx = Math.max(22, 11 * models.length + 8),
}: ByScenarioOptions): string {
  const keys = keysOf(models);
  return draw(
    {
      width: fullWidth,
      height: 60 + bandPx * titles.length,
      marginLeft: marginFor(titles),
      marginBottom: 40,
      x: { grid: true, labelAnchor: 'center', labelArrow: 'none', ...x },
      fy: { domain: titles, label: null, axis: 'left', padding: 0.08 },
      y: { domain: models, axis: null },
      ...keyScales(keys),
      marks,
    },
    { title, legend: models.length > 1 ? keys : [] },
  );
}

/** A dot for each row, and its interval from `low` to `high` where it has one. */
export const dotsWithIntervals = (rows: readonly { readonly low: number | null }[], x: string): Plot.Markish[] => [
  Plot.ruleY(
    rows.filter(({ low }) => low !== null),
    { fy: 'title', y: 'model', x1: 'low', x2: 'high', stroke: 'model', strokeWidth: 2 },
  ),
  Plot.dot(rows, { fy: 'title', y: 'model', x, fill: 'model', symbol: 'model', r: 4 }),
];
