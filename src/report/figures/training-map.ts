import { hundredthsOf } from '../../contracts/numbers.ts';
import type { Figure } from '../document.ts';
import { draw, fullWidth, marginFor, Plot } from './plot.ts';

interface HeadCell {
  readonly trained: string;
  readonly tested: string;
  readonly accuracy: number;
}

/** Accuracy by the scenario a head was trained on and the one it was tested on; the diagonal is in-scenario. */
export function trainingMap(cells: readonly HeadCell[], { model, id }: { model: string; id: string }): Figure {
  const title = `${model}: trained on one scenario, tested on each`;
  const tested = [...new Set(cells.map((cell) => cell.tested))];
  const trained = [...new Set(cells.map((cell) => cell.trained))];
  const top = Math.min(200, 20 + Math.max(...tested.map(({ length }) => length)) * 4.6);
  const svg = draw(
    {
      width: fullWidth,
      height: top + 24 * trained.length + 20,
      marginTop: top,
      marginRight: 100,
      marginLeft: marginFor(trained, { most: 260 }),
      marginBottom: 8,
      x: { domain: tested, axis: 'top', label: null, tickRotate: -40, tickSize: 0 },
      y: { domain: trained, label: null, tickSize: 0 },
      color: { type: 'linear', domain: [0, 1], range: ['#f4f8fb', '#0a4a75'] },
      marks: [
        Plot.cell(cells, { x: 'tested', y: 'trained', fill: 'accuracy', inset: 0.5, rx: 2 }),
        Plot.cell(
          cells.filter((cell) => cell.trained === cell.tested),
          { x: 'tested', y: 'trained', stroke: '#d55e00', strokeWidth: 2, inset: 1, rx: 2 },
        ),
        Plot.text(cells, {
          x: 'tested',
          y: 'trained',
          text: (cell: HeadCell) => hundredthsOf(cell.accuracy, 0),
          fill: (cell: HeadCell) => (cell.accuracy > 0.55 ? 'white' : '#12283a'),
          fontSize: 11,
        }),
      ],
    },
    { title },
  );
  return {
    id,
    title,
    caption:
      'Right answers, per cent; each line is trained on one scenario. Framed: trained and tested in the same scenario.',
    svg,
    data: cells.map((cell) => ({ model, ...cell })),
  };
}
