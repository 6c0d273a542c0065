import type { SaliencyCell } from '../../explain/summary/cells.ts';
import type { RelianceDifference } from '../../explain/summary/compare-reliance.ts';
import type { ReportColumn, ReportTable } from '../document.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { fixed, percent, points, pValue, range } from '../show.ts';

const interval = (key: string): ReportColumn => ({
  key: `${key}Low`,
  label: '95 % interval',
  align: 'right',
  with: [`${key}High`],
  show: (value, row) => range(value, row[`${key}High`], (end) => points(end)),
});

export function saliencyTable(cells: readonly SaliencyCell[]): ReportTable {
  return {
    id: 'saliency',
    title: 'Saliency against the object',
    note: 'Change: scenario minus original over the same images, in points; P by Holm over the scenarios of a model. Hit: the most salient pixel lies on the object. IoU: with as many of the most salient pixels as the object has. Deletion is better when low, insertion when high. Negative saliency counts as none; what the crop cut off and uncertain borders are left out.',
    folded: cells.length > 40,
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'scenario', label: 'Scenario', show: (value) => scenarioTitle(String(value)) },
      { key: 'method', label: 'Method' },
      { key: 'n', label: 'n', align: 'right' },
      { key: 'share', label: 'On the object', align: 'right', show: (value) => percent(value) },
      interval('share'),
      { key: 'change', label: 'Change', align: 'right', show: (value) => points(value) },
      interval('change'),
      { key: 'p', label: 'P', align: 'right', show: pValue },
      { key: 'area', label: 'Its area', align: 'right', show: (value) => percent(value) },
      { key: 'ratio', label: 'Over its area', align: 'right', show: (value) => fixed(value, 2) },
      { key: 'hit', label: 'Hit', align: 'right', show: (value) => percent(value) },
      { key: 'iou', label: 'IoU', align: 'right', show: (value) => fixed(value, 2) },
      { key: 'deletion', label: 'Deletion', align: 'right', show: (value) => fixed(value, 3) },
      { key: 'insertion', label: 'Insertion', align: 'right', show: (value) => fixed(value, 3) },
      { key: 'accuracy', label: 'Right', align: 'right', show: (value) => percent(value) },
    ],
    rows: cells.map((cell) => ({
      model: cell.model,
      scenario: cell.scenario,
      method: cell.method,
      n: cell.n,
      share: cell.shareOnObject.mean,
      shareLow: cell.shareOnObject.ci?.[0] ?? null,
      shareHigh: cell.shareOnObject.ci?.[1] ?? null,
      change: cell.change?.difference ?? null,
      changeLow: cell.change?.ci?.[0] ?? null,
      changeHigh: cell.change?.ci?.[1] ?? null,
      p: cell.change?.pHolm ?? null,
      area: cell.areaShare,
      ratio: cell.energyRatio.mean,
      hit: cell.pointing.mean,
      iou: cell.iou.mean,
      deletion: cell.deletion.mean,
      insertion: cell.insertion.mean,
      accuracy: cell.accuracy.mean,
    })),
  };
}

export function comparisonTable(comparisons: readonly RelianceDifference[]): ReportTable {
  return {
    id: 'saliency-models',
    title: 'Model against model',
    note: 'Share of the saliency on the object, first minus second over the same variants, in points; an image is one cluster whatever it comes in.',
    folded: comparisons.length > 20,
    columns: [
      { key: 'first', label: 'First' },
      { key: 'second', label: 'Second' },
      { key: 'scenario', label: 'Scenario', show: (value) => (value ? scenarioTitle(String(value)) : 'all') },
      { key: 'n', label: 'n', align: 'right' },
      { key: 'difference', label: 'Difference', align: 'right', show: (value) => points(value) },
      interval('difference'),
      { key: 'p', label: 'P (Holm)', align: 'right', show: pValue },
    ],
    rows: comparisons.map(({ first, second, scenario, n, difference, ci, pHolm }) => ({
      first,
      second,
      scenario,
      n,
      difference,
      differenceLow: ci?.[0] ?? null,
      differenceHigh: ci?.[1] ?? null,
      p: pHolm,
    })),
  };
}
