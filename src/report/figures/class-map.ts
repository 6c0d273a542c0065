import { hundredthsOf } from '../../contracts/numbers.ts';
import type { ClassCell } from '../../metrics/answers/hardest-classes.ts';
import type { Figure } from '../document.ts';
import { draw, fullWidth, marginFor, Plot } from './plot.ts';

interface ClassMapOptions {
  readonly model: string;
  readonly scenarios: readonly { readonly name: string; readonly title: string }[];
  /** Classes shown, the hardest first. */
  readonly classes: readonly string[];
  readonly id: string;
}

const cellHeight = 22;

/** Per-class accuracy of one model under every scenario, as in the supplement's Fig. 11. */
export function classMap(cells: readonly ClassCell[], { model, scenarios, classes, id }: ClassMapOptions): Figure {
  const title = `${model}: accuracy of each class under each scenario`;
  const titleOf = new Map(scenarios.map((scenario) => [scenario.name, scenario.title]));
  const shown = cells
    .filter((cell) => cell.model === model && titleOf.has(cell.scenario) && classes.includes(cell.class))
    .map((cell) => ({ ...cell, title: titleOf.get(cell.scenario) }));
  const titles = scenarios.map((scenario) => scenario.title);
  const longest = Math.max(...titles.map(({ length }) => length));
  const numbered = scenarios.length <= 30;
  // Slanted names of neighbours touch when the columns are narrow; upright small ones do not.
  const upright = scenarios.length > 36;
  const top = upright ? 12 + longest * 6.4 : Math.min(150, 20 + longest * 4.6);
  const svg = draw(
    {
      width: upright ? Math.max(fullWidth, 260 + 13 * scenarios.length) : fullWidth,
      height: top + cellHeight * classes.length + 20,
      marginTop: top,
      marginRight: upright ? 10 : Math.min(110, 20 + longest * 3.4),
      marginLeft: marginFor(classes, { most: 220 }),
      marginBottom: 8,
      x: { domain: titles, axis: null },
      y: { domain: [...classes], label: null, tickSize: 0 },
      color: { type: 'linear', domain: [0, 1], range: ['#f4f8fb', '#0a4a75'], interpolate: 'lab' as never },
      marks: [
        Plot.axisX({
          anchor: 'top',
          label: null,
          tickSize: 0,
          tickRotate: upright ? -90 : -40,
          ...(upright && { fontSize: 11 }),
        }),
        Plot.cell(shown, { x: 'title', y: 'class', fill: 'accuracy', inset: 0.5, rx: 2 }),
        ...(numbered
          ? [
              Plot.text(shown, {
                x: 'title',
                y: 'class',
                text: (cell: ClassCell) => hundredthsOf(cell.accuracy, 0),
                fill: (cell: ClassCell) => (cell.accuracy > 0.55 ? 'white' : '#12283a'),
                fontVariant: 'tabular-nums',
                fontSize: 11,
              } as never),
            ]
          : []),
      ],
    },
    { title },
  );
  return {
    id,
    title,
    caption:
      'Right answers, per cent; darker is better. Classes are sorted by accuracy under edits, the hardest on top.',
    svg,
    data: shown.map(({ model: name, scenario, class: label, n, accuracy }) => ({
      model: name,
      scenario,
      class: label,
      n,
      accuracy,
    })),
  };
}
