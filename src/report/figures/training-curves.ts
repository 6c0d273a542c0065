import type { CurvePoint, Curves, Measure } from '../data/curves.ts';
import type { Figure } from '../document.ts';
import { draw, fullWidth, keyScales, keysOf, Plot } from './plot.ts';

interface CurveOptions {
  readonly model: string;
  readonly measure: Measure;
  readonly id: string;
  /** Heads in the order they are shown. */
  readonly trained: readonly string[];
  readonly titleOf: (trained: string) => string;
}

const panelHeight = 140;
const [marginLeft, marginRight] = [58, 12];
const words = {
  accuracy: { title: 'accuracy', axis: 'right answers, %' },
  loss: { title: 'loss', axis: 'loss (cross-entropy)' },
} as const;

/** How training went, a panel for each head: mean over the folds, and from the lowest fold to the highest. */
export function trainingCurves({ points, step }: Curves, options: CurveOptions): Figure {
  const { model, measure, id, titleOf } = options;
  const title = `${model}: ${words[measure].title} while training`;
  const own = points.filter((point) => point.measure === measure);
  const trained = options.trained.filter((name) => own.some((point) => point.trained === name));
  const abreast = trained.length > 6 ? 4 : trained.length > 4 ? 3 : Math.max(2, trained.length);
  const place = (name: string) => ({
    column: trained.indexOf(name) % abreast,
    row: Math.floor(trained.indexOf(name) / abreast),
  });
  const range = rangeOf(own, measure);
  const within = (value: number) => Math.min(range[1], Math.max(range[0], value));
  const shown = own
    .filter(({ mean }) => mean === within(mean))
    .map((point) => ({ ...point, ...place(point.trained), low: within(point.low), high: within(point.high) }));
  const ends = shown.filter((point) => !shown.some((other) => follows(other, point)));
  const keys = keysOf(['training', 'validation']);
  const rows = Math.ceil(trained.length / abreast);
  const steps = own.map((point) => point.step);
  const svg = draw(
    {
      width: fullWidth,
      height: 28 + rows * panelHeight + 44,
      marginTop: 28,
      marginBottom: 40,
      marginLeft,
      marginRight,
      fx: { axis: null, padding: 0.09, domain: Array.from({ length: abreast }, (_, i) => i) },
      fy: { axis: null, padding: 0.28, domain: Array.from({ length: rows }, (_, i) => i) },
      x: {
        ...(step === 'iteration' ? { type: 'log', ticks: powersUpTo(Math.max(...steps)), tickFormat: 'd' } : {}),
        // One step alone has no extent to scale.
        domain: [Math.min(...steps), Math.max(Math.min(...steps) + 1, ...steps)],
        label: step,
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: {
        ...(measure === 'accuracy'
          ? { percent: true, domain: range.map((end) => 100 * end), ticks: 4 }
          : { type: 'sqrt', domain: range, ticks: lossTicks(range[1]), tickFormat: String }),
        grid: true,
        label: words[measure].axis,
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      ...keyScales(keys),
      marks: [
        Plot.frame({ stroke: 'currentColor', strokeOpacity: 0.25 }),
        Plot.areaY(shown, {
          fx: 'column',
          fy: 'row',
          x: 'step',
          y1: 'low',
          y2: 'high',
          fill: 'rows',
          fillOpacity: 0.2,
        }),
        Plot.lineY(
          shown.filter(({ rows: of }) => of === 'training'),
          { fx: 'column', fy: 'row', x: 'step', y: 'mean', stroke: 'rows', strokeDasharray: '5 3' },
        ),
        Plot.lineY(
          shown.filter(({ rows: of }) => of === 'validation'),
          { fx: 'column', fy: 'row', x: 'step', y: 'mean', stroke: 'rows', strokeWidth: 1.8 },
        ),
        Plot.dot(ends, { fx: 'column', fy: 'row', x: 'step', y: 'mean', fill: 'rows', symbol: 'rows', r: 3.5 }),
        Plot.text(
          trained.map((name) => ({ title: titleOf(name), ...place(name) })),
          {
            fx: 'column',
            fy: 'row',
            text: 'title',
            frameAnchor: 'top-left',
            dy: -15,
            fontWeight: 600,
            lineWidth: (fullWidth - marginLeft - marginRight) / abreast / 14,
            textOverflow: 'ellipsis',
          },
        ),
      ],
    },
    { title, legend: keys },
  );
  return {
    id,
    title,
    caption: captionOf(own, { step, measure, range }),
    svg,
    data: own.map((point) => ({ model, ...point })),
  };
}

/** All of validation, and of training what lies beside it: the first epoch of a new layer would press the rest flat. */
function rangeOf(points: readonly CurvePoint[], measure: Measure): [number, number] {
  const held = points.filter(({ rows }) => rows === 'validation');
  const shown = held.length ? held : points;
  if (measure === 'loss') {
    const ends = points.filter((point) => !points.some((other) => follows(other, point)));
    return [0, Math.max(1e-6, ...shown.map(({ high }) => high), ...ends.map(({ mean }) => mean))];
  }
  const lowest = Math.min(...shown.map(({ low }) => low));
  return [Math.min(0.95, Math.floor(20 * lowest) / 20), 1];
}

/** Round numbers that stand apart on a square-root scale. */
function lossTicks(most: number): number[] {
  const round = Array.from({ length: 30 }, (_, i) => Number(`${[1, 2, 5][i % 3]}e${Math.floor(i / 3) - 6}`));
  const kept: number[] = [];
  for (const tick of round.filter((value) => value <= most).reverse()) {
    const above = kept.at(-1) ?? Number.POSITIVE_INFINITY;
    if (Math.sqrt(above / most) - Math.sqrt(tick / most) > 0.2 && Math.sqrt(tick / most) > 0.2) kept.push(tick);
  }
  return [...kept, 0];
}

const follows = (other: CurvePoint, point: CurvePoint): boolean =>
  other.trained === point.trained && other.rows === point.rows && other.step > point.step;

const powersUpTo = (most: number): number[] =>
  Array.from({ length: Math.floor(Math.log10(Math.max(1, most)) + 1e-9) + 1 }, (_, i) => 10 ** i);

function captionOf(
  points: readonly CurvePoint[],
  { step, measure, range: [low, high] }: Pick<Curves, 'step'> & { measure: Measure; range: [number, number] },
): string {
  const outside = points.some(({ mean }) => mean < low || mean > high);
  const folds = Math.max(0, ...points.map((point) => point.folds));
  return [
    folds > 1
      ? `Lines are means over ${folds} folds; bands reach from the lowest fold to the highest.`
      : 'One fold alone.',
    'Validation is the fold held out: it is looked at and chooses nothing.',
    ...(step === 'iteration' ? ['A fold that has converged stands where it stopped.'] : []),
    ...(outside ? ['Training is drawn from where it enters the picture.'] : []),
    ...(measure === 'loss' ? ['The scale is a square root, so that small losses are told apart.'] : []),
  ].join(' ');
}
