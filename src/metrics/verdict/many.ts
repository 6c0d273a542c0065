import { countOf, listWords, pointsOf } from '../../contracts/numbers.ts';
import type { Verdict, Verdicts } from '../../contracts/verdict.ts';

interface Judged {
  readonly model: string;
  readonly verdict: Verdict;
}

/** Which models lean on the scene and which do not; said before any model is called best. Models in the order given. */
export function verdictsOf(models: readonly Judged[]): Verdicts | null {
  if (!models.length) return null;
  const of = (answer: Verdict['answer']) => models.filter(({ verdict }) => verdict.answer === answer);
  const [leans, doesNot, notSettled, notMeasured] = [
    of('leans'),
    of('does-not'),
    of('not-settled'),
    of('not-measured'),
  ];
  const { margin } = models[0].verdict;
  return {
    margin,
    leans: names(leans),
    doesNot: names(doesNot),
    notSettled: names(notSettled),
    notMeasured: names(notMeasured),
    words:
      models.length === 1
        ? [models[0].verdict.words]
        : wordsFor(models.length, { leans, doesNot, notSettled, notMeasured }),
  };
}

const names = (models: readonly Judged[]) => models.map(({ model }) => model);

type Groups = Record<'leans' | 'doesNot' | 'notSettled' | 'notMeasured', readonly Judged[]>;

function wordsFor(total: number, { leans, doesNot, notSettled, notMeasured }: Groups): string[] {
  if (notMeasured.length === total)
    return [
      'Whether these models lean on the scene was not measured: nothing put their objects before other backgrounds.',
    ];
  const group = (judged: readonly Judged[], words: (count: string) => string) =>
    judged.length ? [words(howMany(judged.length, total))] : [];
  return [
    ...group(
      leans,
      (count) =>
        `${count} ${leans.length === 1 ? 'leans' : 'lean'} on the scene: ${list(leans)} (${spread(leans)} lost before other backgrounds, beyond pasting).`,
    ),
    ...group(
      doesNot,
      (count) =>
        `${count} ${doesNot.length === 1 ? 'does' : 'do'} not lean on the scene: ${list(doesNot)} (${spread(doesNot)}).`,
    ),
    ...group(
      notSettled,
      (count) => `Not settled for ${inside(count)}: ${list(notSettled)} (${spread(notSettled)}${cure(notSettled)}).`,
    ),
    ...masksDecide([...leans, ...doesNot, ...notSettled]),
    ...group(notMeasured, (count) => `Not measured for ${inside(count)}: ${list(notMeasured)}.`),
  ];
}

/**
 * Said where the masks' uncertain border changes a model's verdict, or the size of its loss by more than the margin.
 */
function masksDecide(judged: readonly Judged[]): string[] {
  const hanging = judged.flatMap(({ model, verdict: { border } }) =>
    border?.decides || border?.apart
      ? [`${model} (${pointsOf(border.object.estimate)} against ${pointsOf(border.background.estimate)})`]
      : [],
  );
  return hanging.length
    ? [
        `The masks decide, points lost with their uncertain border counted to the object against to the background: ${listWords(hanging)}.`,
      ]
    : [];
}

const howMany = (count: number, total: number): string =>
  count < total ? `${count} of ${total} models` : total === 2 ? 'Both models' : `All ${total} models`;
const inside = (count: string) => count.replace(/^[AB]/, (sign) => sign.toLowerCase());

/** So many are named; the lists beside the words have all. */
const mostNames = 8;

const list = (judged: readonly Judged[]): string =>
  judged.length > mostNames
    ? `${names(judged)
        .slice(0, mostNames - 1)
        .join(', ')} and ${judged.length - mostNames + 1} more`
    : listWords(names(judged));

function spread(judged: readonly Judged[]): string {
  const losses = judged.flatMap(({ verdict: { loss } }) => (loss ? [loss.estimate] : []));
  if (!losses.length) return 'no loss measured';
  const [least, most] = [Math.min(...losses), Math.max(...losses)].map(pointsOf);
  return least === most ? `${least} points` : `${least} to ${most} points`;
}

/** What would settle it: more images, or the control that was not run. Neither helps with a model that guesses. */
function cure(judged: readonly Judged[]): string {
  const reasons = new Set(judged.map(({ verdict: { reason } }) => reason));
  const needed = judged.flatMap(({ verdict: { imagesNeeded } }) => (imagesNeeded === null ? [] : [imagesNeeded]));
  return [
    needed.length ? `; about ${countOf(Math.max(...needed))} images would settle it` : '',
    reasons.has('no-paste-back') ? '; what pasting alone costs was not measured: run paste-back' : '',
    reasons.has('guessing') ? '; who guesses has nothing to lose' : '',
  ].join('');
}
