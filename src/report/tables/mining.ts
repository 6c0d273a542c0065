import type { MiningRecord } from '../../contracts/mining.ts';
import { modeAdvice, modeName } from '../../contracts/mining-words.ts';
import type { ReportCell, ReportColumn, ReportTable } from '../document.ts';
import { fixed, percent, points, pValue, range } from '../show.ts';

type Estimate = MiningRecord['transfer'][number]['fall'];

const share = (key: string, label: string): ReportColumn => ({
  key,
  label,
  align: 'right',
  show: (value) => percent(value),
});
const number = (key: string, label: string): ReportColumn => ({ key, label, align: 'right' });
const estimateColumns = (key: string, label: string): ReportColumn[] => [
  { key, label, align: 'right', show: (value) => points(value) },
  {
    key: `${key}Low`,
    label: '95 % interval',
    align: 'right',
    with: [`${key}High`],
    show: (value, row) => range(value, row[`${key}High`], (end) => points(end)),
  },
];
const estimateCells = (key: string, { estimate, ci }: Estimate): Record<string, ReportCell> => ({
  [key]: estimate,
  [`${key}Low`]: ci[0],
  [`${key}High`]: ci[1],
});

/** What each model fails, by kind of nuisance. */
export function failsTable({ fails }: MiningRecord): ReportTable {
  const nuisances = [...new Set(fails.map(({ nuisance }) => nuisance))];
  const models = [...new Set(fails.map(({ model }) => model))];
  const cell = (model: string, nuisance: string) =>
    fails.find((row) => row.model === model && row.nuisance === nuisance) ?? { n: 0, wrong: 0 };
  return {
    id: 'mining-fails',
    title: 'What each model gets wrong in the pool, by nuisance',
    columns: [{ key: 'model', label: 'Model' }, ...nuisances.map((name, i) => share(`share${i}`, name))],
    rows: models.map((model) => ({
      model,
      ...Object.fromEntries(
        nuisances.map((nuisance, i) => {
          const { n, wrong } = cell(model, nuisance);
          return [`share${i}`, n ? wrong / n : null];
        }),
      ),
    })),
  };
}

export function transferTable(rows: MiningRecord['transfer']): ReportTable {
  return {
    id: 'mining-transfer',
    title: 'Each model on the hard set, and on sets of the same size that were not chosen',
    note: 'Points lost: random minus hard. Matched: against pictures with the same classes and nuisances.',
    columns: [
      { key: 'model', label: 'Model' },
      { key: 'role', label: 'Role' },
      share('hard', 'Hard set'),
      share('random', 'Random set'),
      share('matched', 'Matched set'),
      ...estimateColumns('fall', 'Points lost'),
      ...estimateColumns('fallMatched', 'Beyond matched'),
    ],
    rows: rows.map(({ model, role, hard, random, matched, fall, fallMatched }) => ({
      ...{ model, role, hard: hard.estimate, random: random.estimate, matched: matched.estimate },
      ...estimateCells('fall', fall),
      ...estimateCells('fallMatched', fallMatched),
    })),
  };
}

export function freshSeedTable(rows: NonNullable<MiningRecord['freshSeed']>): ReportTable {
  return {
    id: 'mining-fresh-seed',
    title: 'Selection is not generation: the same prompts with another seed',
    note: 'Points lost on the pictures chosen, and on other pictures of their prompts; the difference is the luck of being chosen.',
    columns: [
      { key: 'model', label: 'Model' },
      ...estimateColumns('own', 'On the pictures chosen'),
      ...estimateColumns('fresh', 'On a fresh seed'),
      ...estimateColumns('selection', 'Luck'),
    ],
    rows: rows.map(({ model, ownSeed, freshSeed, selection }) => ({
      model,
      ...estimateCells('own', ownSeed),
      ...estimateCells('fresh', freshSeed),
      ...estimateCells('selection', selection),
    })),
  };
}

export function matrixTable(rows: MiningRecord['matrix']): ReportTable {
  return {
    id: 'mining-matrix',
    title: 'Every set of surrogates against every model outside it',
    folded: true,
    columns: [
      { key: 'surrogates', label: 'All of these fail' },
      { key: 'target', label: 'Model' },
      number('n', 'Pictures'),
      share('accuracy', 'Accuracy there'),
      ...estimateColumns('fall', 'Points lost'),
    ],
    rows: rows.map(({ surrogates, target, n, accuracy, fall }) => ({
      ...{ surrogates: surrogates.join(' + '), target, n, accuracy },
      ...estimateCells('fall', fall),
    })),
  };
}

export function modesTable(modes: MiningRecord['modes']): ReportTable {
  return {
    id: 'mining-modes',
    title: 'Failure modes',
    note: 'Share of answers that are wrong there and elsewhere, over the whole pool and all models; P corrected for every value of every property looked at.',
    columns: [
      { key: 'mode', label: 'Mode' },
      number('pictures', 'Pictures'),
      share('fails', 'Wrong'),
      share('elsewhere', 'Elsewhere'),
      { key: 'ratio', label: 'Times', align: 'right', show: (value) => fixed(value, 1) },
      {
        key: 'ratioLow',
        label: '95 % interval',
        align: 'right',
        with: ['ratioHigh'],
        show: (value, row) => range(value, row.ratioHigh, (end) => fixed(end, 1)),
      },
      { key: 'p', label: 'P corrected', align: 'right', show: (value) => pValue(value) },
      { key: 'advice', label: 'What to do' },
    ],
    rows: modes.map((mode) => ({
      mode: modeName(mode),
      pictures: mode.pictures,
      fails: mode.fails,
      elsewhere: mode.elsewhere,
      ratio: mode.ratio,
      ratioLow: mode.ci?.[0] ?? null,
      ratioHigh: mode.ci?.[1] ?? null,
      p: mode.pCorrected,
      advice: modeAdvice(mode),
    })),
  };
}

/** Harder than the rest, but not beyond chance. */
export const doubtfulModesTable = (modes: MiningRecord['modes']): ReportTable => ({
  ...modesTable(modes),
  id: 'mining-modes-doubtful',
  title: 'Harder than the rest, though it may be chance',
  folded: true,
});

export function auditTable(rows: MiningRecord['audit']): ReportTable {
  return {
    id: 'mining-audit',
    title: 'How classes and nuisances stand in the hard set against the pool',
    folded: true,
    columns: [
      { key: 'by', label: 'By' },
      { key: 'value', label: 'Value' },
      number('pool', 'In the pool'),
      number('hard', 'Hard'),
      share('share', 'Share hard'),
      { key: 'ratio', label: 'Times the pool', align: 'right', show: (value) => fixed(value, 2) },
      { key: 'p', label: 'P corrected', align: 'right', show: (value) => pValue(value) },
    ],
    rows: rows.map(({ by, value, pool, hard, share: part, ratio, pCorrected }) => ({
      ...{ by, value, pool, hard, share: part, ratio, p: pCorrected },
    })),
  };
}
