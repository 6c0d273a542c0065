import type { ScenarioScore } from '../../contracts/score.ts';
import { binomialSurvival } from '../../stats/binomial.ts';
import type { Interval } from '../../stats/proportion.ts';

/** Is the background signal or noise for this model? One answer from the scenarios that bear on it. */
export type Background = {
  /** `signal`: used and misleading when wrong; `noise`: hurts when changed, tells nothing alone; `ignored`; `unclear`. */
  readonly verdict: 'signal' | 'noise' | 'ignored' | 'unclear';
  readonly words: string;
  readonly chance: number;
  /** Background without the object: accuracy over the dataset's own classes, and P of guessing as well. */
  readonly onlyBackground: { scenario: string; accuracy: number; n: number; p: number } | null;
  readonly noForeground: { accuracy: number; n: number; p: number } | null;
  /** What another background costs, and what cutting out and pasting back alone costs. */
  readonly otherBackground: { scenario: string; drop: number; ci: Interval | null } | null;
  readonly pasting: { drop: number; ci: Interval | null } | null;
};

const without = (scenario: string) => scenario.split(':')[0];

export function backgroundAnswer(rows: readonly ScenarioScore[], classes: number): Background | null {
  const find = (...names: string[]) => rows.find(({ scenario }) => names.includes(without(scenario)));
  const only = find('only-bg-t', 'only-bg-b', 'only_bg_t', 'only_bg_b');
  const none = find('no-fg', 'no_fg');
  const other = find('random-background', 'mixed-rand', 'mixed_rand');
  const pasted = find('paste-back');
  if (!only && !none && !other) return null;
  const chance = 1 / classes;
  const against = (row: ScenarioScore) => {
    const accuracy = row.top1Own ?? row.top1;
    // P(at least as many right by guessing among the dataset's own classes).
    return { accuracy, n: row.n, p: binomialSurvival(Math.round(accuracy * row.n) - 1, row.n, chance) };
  };
  const onlyBackground = only ? { scenario: only.scenario, ...against(only) } : null;
  const noForeground = none ? against(none) : null;
  const dropOf = (row: ScenarioScore | undefined) =>
    row && row.drop !== null ? { drop: row.drop, ci: row.dropCi as Interval | null } : null;
  const found = dropOf(other);
  const otherBackground = found && other ? { scenario: other.scenario, ...found } : null;
  const pasting = dropOf(pasted);
  const parts = { chance, onlyBackground, noForeground, otherBackground, pasting };
  return { ...judge(parts), ...parts };
}

type Parts = Omit<Background, 'verdict' | 'words'>;

function judge(parts: Parts): Pick<Background, 'verdict' | 'words'> {
  const { chance, onlyBackground, noForeground, otherBackground, pasting } = parts;
  const alone = onlyBackground ?? noForeground;
  const tells = alone ? alone.p < 0.05 && alone.accuracy > chance : undefined;
  const hurts = otherBackground?.ci ? otherBackground.ci[0] > Math.max(0, pasting?.ci?.[1] ?? 0) : undefined;
  const sentences: string[] = [];
  if (alone) {
    const what = onlyBackground ? 'From the background alone' : 'With the object cut out (its outline stays)';
    sentences.push(
      `${what} it names ${percent(alone.accuracy)} of ${alone.n} images, ${tells ? 'more than' : 'no more than'} the ${percent(chance)} of guessing (P ${probability(alone.p)}).`,
    );
  }
  if (otherBackground) {
    const net = pasting ? otherBackground.drop - pasting.drop : undefined;
    sentences.push(
      `Another background costs ${points(otherBackground.drop)}${otherBackground.ci ? ` (${range(otherBackground.ci)})` : ''}` +
        (pasting && net !== undefined
          ? `, of which pasting alone costs ${points(pasting.drop)}: ${points(net)} are the background's.`
          : '; run paste-back to see how much of it is the pasting.'),
    );
  }
  const verdict =
    tells === true && hurts !== false
      ? 'signal'
      : tells === false && hurts === true
        ? 'noise'
        : tells === false && hurts === false
          ? 'ignored'
          : 'unclear';
  const answers = {
    signal: 'The background is a signal to this model.',
    noise: 'The background is noise to this model: it tells nothing by itself, and a change of it disturbs.',
    ignored: 'This model hardly uses the background.',
    unclear: 'The background’s part is not settled by these scenarios.',
  };
  return { verdict, words: [answers[verdict], ...sentences].join(' ') };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const points = (drop: number) => `${(100 * drop).toFixed(1)} points`;
const range = ([low, high]: Interval) => `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}`;
const probability = (p: number) => (p < 0.0001 ? '< 0.0001' : p.toFixed(4));
