import type { MiningRecord } from '../../contracts/mining.ts';
import type { Figure } from '../document.ts';
import { draw, fullWidth, keyScales, keysOf, marginFor, Plot } from './plot.ts';

const roles = ['target', 'surrogate', 'other'];

/** What the hard set takes from every model, those held out first. */
export function transferChart(transfer: MiningRecord['transfer']): Figure {
  const title = 'Points of accuracy lost on the hard set';
  const rows = transfer
    .map(({ model, role, fall }) => ({ model, role, fall: fall.estimate, low: fall.ci[0], high: fall.ci[1] }))
    .sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role) || b.fall - a.fall);
  const models = rows.map(({ model }) => model);
  const keys = keysOf(roles).filter(({ label }) => rows.some(({ role }) => role === label));
  const svg = draw(
    {
      width: fullWidth,
      height: 60 + 22 * models.length,
      marginLeft: marginFor(models),
      marginBottom: 40,
      x: {
        percent: true,
        grid: true,
        label: 'points lost against a random set',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: { domain: models, label: null, tickSize: 0 },
      ...keyScales(keys),
      marks: [
        Plot.ruleX([0]),
        Plot.ruleY(rows, { y: 'model', x1: 'low', x2: 'high', stroke: 'role', strokeWidth: 2 }),
        Plot.dot(rows, { y: 'model', x: 'fall', fill: 'role', symbol: 'role', r: 4.5 }),
      ],
    },
    { title, legend: keys },
  );
  return {
    id: 'transfer',
    title,
    caption:
      'Accuracy on a random set of the same size minus accuracy on the hard set; bars are 95 % intervals over prompts. Surrogates lose by construction.',
    svg,
    data: rows,
  };
}
