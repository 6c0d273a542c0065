import { equalsP, percentOf as percent } from '../../contracts/numbers.ts';
import type { ScenarioScore } from '../../contracts/score.ts';
import type { Verdict } from '../../contracts/verdict.ts';
import { declarationOf } from '../../scenarios/registry.ts';
import { binomialSurvival } from '../../stats/binomial.ts';
import { wilson } from '../../stats/proportion.ts';

/** What the background alone gives away, and what another one costs: is it signal or noise to this model? */
export type Background = {
  /** `signal`: names images by itself; `noise`: tells nothing alone, yet a change of it costs; `ignored`; `unclear`. */
  readonly verdict: 'signal' | 'noise' | 'ignored' | 'unclear';
  readonly words: string;
  readonly chance: number;
  /** Background without the object: accuracy over the dataset's own classes, and P of guessing as well. */
  readonly onlyBackground: { scenario: string; accuracy: number; n: number; p: number } | null;
  readonly noForeground: { accuracy: number; n: number; p: number } | null;
};

export function backgroundAnswer(
  rows: readonly ScenarioScore[],
  { classes, verdict }: { classes: number; verdict: Verdict },
): Background | null {
  const find = (...ids: string[]) => rows.find(({ scenario }) => ids.includes(declarationOf(scenario)?.id ?? ''));
  const only = find('only-bg-t', 'only-bg-b');
  const none = find('no-fg');
  if (!only && !none) return null;
  const chance = 1 / classes;
  const against = (row: ScenarioScore) => {
    const accuracy = row.top1Own ?? row.top1;
    // P(at least as many right by guessing among the dataset's own classes).
    return { accuracy, n: row.n, p: binomialSurvival(Math.round(accuracy * row.n) - 1, row.n, chance) };
  };
  const onlyBackground = only ? { scenario: only.scenario, ...against(only) } : null;
  const noForeground = none ? against(none) : null;
  const alone = (onlyBackground ?? noForeground) as NonNullable<typeof noForeground>;
  const tells = tellsBy(alone, chance, verdict.margin);
  return {
    ...judge(tells, verdict),
    words: [
      answers[judge(tells, verdict).verdict],
      aloneWords(alone, { chance, tells, outline: !onlyBackground }),
    ].join(' '),
    chance,
    onlyBackground,
    noForeground,
  };
}

type Told = 'more' | 'no more' | 'unclear';

/** No more than guessing is a finding only where a difference of the margin is ruled out. */
function tellsBy({ accuracy, n, p }: { accuracy: number; n: number; p: number }, chance: number, margin: number): Told {
  if (p < 0.05 && accuracy > chance) return 'more';
  return wilson(accuracy * n, n)[1] < chance + margin ? 'no more' : 'unclear';
}

function judge(tells: Told, { answer }: Verdict): Pick<Background, 'verdict'> {
  if (tells === 'more') return { verdict: 'signal' };
  if (tells === 'no more' && answer === 'leans') return { verdict: 'noise' };
  return { verdict: tells === 'no more' && answer === 'does-not' ? 'ignored' : 'unclear' };
}

const answers = {
  signal: 'The background is a signal to this model.',
  noise: 'The background is noise to this model: it tells nothing by itself, and a change of it disturbs.',
  ignored: 'This model hardly uses the background.',
  unclear: 'The background’s part is not settled by these scenarios.',
};

function aloneWords(
  { accuracy, n, p }: { accuracy: number; n: number; p: number },
  { chance, tells, outline }: { chance: number; tells: Told; outline: boolean },
): string {
  const what = outline ? 'With the object cut out (its outline stays)' : 'From the background alone';
  const against = {
    more: `more than the ${percent(chance)} of guessing`,
    'no more': `no more than the ${percent(chance)} of guessing`,
    unclear: `not shown to be more than the ${percent(chance)} of guessing`,
  };
  return `${what} it names ${percent(accuracy)} of ${n} images, ${against[tells]} (${equalsP(p)}).`;
}
