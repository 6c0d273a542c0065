import type { Score } from '../../contracts/score.ts';
import type { Contrast } from '../../metrics/planted-bias/contrast.ts';
import type { TwinsVerdict } from '../../metrics/planted-bias/known-truth.ts';
import { table } from '../ui/table.ts';

/** Both intervals lie above zero: the bias that was planted is in the numbers. */
export const isFound = ({ randomBackground, outsideUsual }: TwinsVerdict): boolean =>
  randomBackground.ci[0] > 0 && outsideUsual.ci[0] > 0;

/** What cutting the object out and putting it back costs by itself, per model; the other drops stand against it. */
export const editingCosts = (score: Score): number[] =>
  score.models.map(({ scenarios }) => scenarios.find(({ scenario }) => scenario === 'paste-back')?.drop ?? 0);

/** The known truth and what was found of it, as a table and sentences. */
export function verdictText(verdicts: readonly TwinsVerdict[], costs: readonly number[]): string[] {
  const networks = verdicts.filter(({ network }) => network !== 'all');
  const rows = networks.flatMap(({ network, seeds, biased, unbiased }) => [
    { network, seeds, place: 'usual places', ...biased },
    { network, seeds, place: 'anywhere', ...unbiased },
  ]);
  const whole = verdicts[verdicts.length - 1];
  return [
    table(rows, [
      { title: 'network', cell: ({ network }) => network },
      { title: 'trained in', cell: ({ place }) => place },
      { title: 'seeds', align: 'right', cell: ({ seeds }) => `${seeds}` },
      { title: 'right in usual places', align: 'right', cell: ({ usual }) => `${points(usual)} %` },
      { title: 'elsewhere', align: 'right', cell: ({ elsewhere }) => `${points(elsewhere)} %` },
      { title: 'random background', align: 'right', cell: (row) => `costs ${points(row.randomBackgroundDrop)}` },
    ]),
    ...networks.map(
      ({ network, randomBackground, outsideUsual }) =>
        `${network}: a random background costs the networks trained in usual places ${more(randomBackground)} than their twins trained anywhere, and outside the usual places they lose ${more(outsideUsual)}.`,
    ),
    isFound(whole)
      ? 'The bias was planted, and it is found: both differences lie above zero, images and training seeds both counted as chance.'
      : 'The bias was planted, but these answers do not show it beyond chance.',
    `The control, cutting the object out and putting it back, costs between ${points(Math.min(...costs))} and ${points(Math.max(...costs))} points: so much of a drop is the editing, not the scene.`,
  ];
}

const more = ({ estimate, ci }: Contrast) =>
  `${points(Math.abs(estimate))} points ${estimate < 0 ? 'less' : 'more'} (95 % interval ${points(ci[0])} to ${points(ci[1])})`;

const points = (fraction: number) => (100 * fraction).toFixed(1).replace(/^-0\.0$/, '0.0');
