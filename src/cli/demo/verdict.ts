import type { Score } from '../../contracts/score.ts';
import type { Answer } from './answers.ts';
import type { DemoSample } from './dataset.ts';

/** What the demo's own question comes to for one model; fractions. */
export interface ModelVerdict {
  readonly model: string;
  /** Accuracy where the class is usually seen, and of the same objects elsewhere. */
  readonly usual: number;
  readonly elsewhere: number;
  readonly randomBackground: {
    readonly drop: number;
    readonly ci: readonly [number, number] | null;
    /** Exact McNemar against the pictures as they are. */
    readonly p: number | null;
  };
  /** Accuracy with the object gone, the background tiled over it, on pictures of the usual environment. */
  readonly backgroundAlone: number;
  readonly chance: number;
  readonly leansOnScene: boolean;
}

export interface Verdict {
  readonly models: readonly ModelVerdict[];
  /** What cutting out and putting back alone costs, per model. */
  readonly pasteBack: readonly { readonly model: string; readonly drop: number }[];
}

/** Leans on the scene: other backgrounds cost it more than chance explains, by the drop's interval and by McNemar's test. */
export function judge(score: Score, answers: readonly Answer[], samples: readonly DemoSample[]): Verdict {
  const chance = 1 / new Set(samples.map(({ label }) => label)).size;
  const usual = new Set(samples.filter((sample) => sample.usual).map(({ id }) => id));
  const dropOf = (model: string, scenario: string) =>
    score.models.find((scored) => scored.model === model)?.scenarios.find((scored) => scored.scenario === scenario);
  const accuracy = (model: string, scenario: string, inUsual: boolean) => {
    const own = answers.filter(
      (answer) => answer.model === model && answer.scenario === scenario && usual.has(answer.sample) === inUsual,
    );
    return own.filter(({ correct }) => correct).length / own.length;
  };
  const models = score.models.map(({ model }): ModelVerdict => {
    const random = dropOf(model, 'random-background');
    return {
      model,
      usual: accuracy(model, 'original', true),
      elsewhere: accuracy(model, 'original', false),
      randomBackground: { drop: random?.drop ?? 0, ci: random?.dropCi ?? null, p: random?.p ?? null },
      backgroundAlone: accuracy(model, 'only-bg-t', true),
      chance,
      leansOnScene: (random?.dropCi?.[0] ?? 0) > 0 && (random?.p ?? 1) < 0.05,
    };
  });
  const pasteBack = score.models.map(({ model }) => ({ model, drop: dropOf(model, 'paste-back')?.drop ?? 0 }));
  return { models, pasteBack };
}

/** The verdict in sentences. */
export function verdictText({ models, pasteBack }: Verdict): string {
  const costs = pasteBack.every(({ drop }) => cost(drop) === 'nothing')
    ? 'nothing: the drops are not the doing of the editing.'
    : `${pasteBack.map(({ model, drop }) => `${model} ${cost(drop)}`).join(', ')}: so much of a drop is the editing, not the scene.`;
  return [
    ...models.map(modelText),
    `The control: cutting the object out and putting it back onto its own filled background costs ${costs}`,
  ].join('\n\n');
}

function modelText(verdict: ModelVerdict): string {
  const { model, usual, elsewhere, randomBackground, backgroundAlone, chance, leansOnScene } = verdict;
  const { drop, ci, p } = randomBackground;
  const between = ci
    ? ` (95 % interval ${points(ci[0])} to ${points(ci[1])}${p === null ? '' : `, McNemar's P ${p < 0.0001 ? '< 0.0001' : p.toFixed(4)}`})`
    : '';
  return [
    `${model}: ${leansOnScene ? 'leans on the scene.' : 'no sign that it leans on the scene.'}`,
    `It is right on ${share(usual)} of the pictures that show a class where it is usually seen, and on ${share(elsewhere)} of those that show the same objects elsewhere.`,
    `A random background costs it ${cost(drop)}${between}.`,
    `Shown the usual backgrounds alone, the object gone, it names the class in ${share(backgroundAlone)} of them; chance is ${share(chance)}.`,
  ].join(' ');
}

const share = (fraction: number) => `${Math.round(100 * fraction)} %`;
const points = (fraction: number) => (100 * fraction).toFixed(1).replace(/^-0\.0$/, '0.0');
const cost = (drop: number) => (points(drop) === '0.0' ? 'nothing' : `${points(drop)} points`);
