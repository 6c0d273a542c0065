import type { MiningRecord } from '../../contracts/mining.ts';
import { hundredthsOf } from '../../contracts/numbers.ts';
import type { Figure } from '../document.ts';
import { draw, fullWidth, marginFor, Plot } from './plot.ts';

const rowHeight = 24;
const mostSets = 40;

/** Accuracy of every model on what a set of surrogates fails; where the sets are many, those of one alone. */
export function transferMap(matrix: MiningRecord['matrix']): Figure {
  const title = 'Accuracy of each model on the pictures that others fail';
  const cells = matrix.map(({ surrogates, target, n, accuracy, fall }) => ({
    ...{ set: surrogates.join(' + '), target, n, accuracy, fall: fall.estimate, low: fall.ci[0], high: fall.ci[1] },
  }));
  const all = [...new Set(cells.map(({ set }) => set))];
  const ofOne = new Set(matrix.flatMap(({ surrogates }) => (surrogates.length === 1 ? surrogates : [])));
  const sets = all.length > mostSets ? all.filter((set) => ofOne.has(set)) : all;
  const shown = cells.filter(({ set }) => sets.includes(set));
  const targets = [...new Set(shown.map(({ target }) => target))].sort();
  const longest = Math.max(...targets.map(({ length }) => length));
  const top = Math.min(190, 20 + longest * 4.6);
  const [left, right] = [marginFor(sets), Math.min(170, 20 + longest * 4.4)];
  const svg = draw(
    {
      width: Math.max(fullWidth, left + right + 30 * targets.length),
      height: top + rowHeight * sets.length + 12,
      marginTop: top,
      marginRight: right,
      marginLeft: left,
      marginBottom: 8,
      x: { domain: targets, axis: 'top', label: null, tickRotate: -40, tickSize: 0 },
      y: { domain: sets, label: null, tickSize: 0 },
      color: { type: 'linear', domain: [0, 1], range: ['#8f2d04', '#fdf6f0'], clamp: true },
      marks: [
        Plot.cell(shown, { x: 'target', y: 'set', fill: 'accuracy', inset: 0.5, rx: 2 }),
        Plot.text(shown, {
          x: 'target',
          y: 'set',
          text: ({ accuracy }: { accuracy: number }) => hundredthsOf(accuracy, 0),
          fill: ({ accuracy }: { accuracy: number }) => (accuracy < 0.45 ? 'white' : '#3a1a0c'),
          fontSize: 11,
        }),
      ],
    },
    { title },
  );
  return {
    id: 'transfer-map',
    title,
    caption: `A line: the pictures that this model, or all of these together, fail. Darker is worse.${all.length > sets.length ? ' Sets of several are in the table.' : ''}`,
    svg,
    data: cells,
  };
}
