import { type Contrast, contrast } from './contrast.ts';

/** An answer of a run, as far as the truth about a planted bias needs it. */
export interface JudgedAnswer {
  readonly model: string;
  readonly scenario: string;
  readonly sample: string;
  readonly correct: boolean;
}

/** An image whose scene is known to be usual for its class, or not. */
export interface PlacedImage {
  /** As rows name the sample. */
  readonly id: string;
  readonly label: string;
  readonly usual: boolean;
}

/** `residual-biased-2` and its twin `residual-unbiased-2`: one network, one seed, two training sets. */
export interface Twins {
  readonly network: string;
  readonly biased: string;
  readonly unbiased: string;
}

/** One network, trained with each class in its usual environment, against its twin trained with environments at random. */
export interface TwinsVerdict {
  /** `all`: the networks together. */
  readonly network: string;
  readonly seeds: number;
  /** Mean accuracy over the seeds, on images in and out of the usual environment; fractions. */
  readonly biased: Accuracy;
  readonly unbiased: Accuracy;
  /** How much more a random background costs the biased one: difference of the drops, over the same images. */
  readonly randomBackground: Contrast;
  /** How much more accuracy the biased one loses outside the usual environment. */
  readonly outsideUsual: Contrast;
}

interface Accuracy {
  readonly usual: number;
  readonly elsewhere: number;
  readonly randomBackgroundDrop: number;
}

/** The bias was planted, so what must be found is known: this is how much of it the answers show. */
export function judgeTwins(
  answers: readonly JudgedAnswer[],
  images: readonly PlacedImage[],
  twins: readonly Twins[],
): TwinsVerdict[] {
  const compared = new Set(['original', 'random-background']);
  const right = new Map(
    answers
      .filter(({ scenario }) => compared.has(scenario))
      .map(({ model, scenario, sample, correct }) => [key(model, scenario, sample), correct]),
  );
  const answered = images.filter(({ id }) =>
    twins.every(({ biased, unbiased }) =>
      [biased, unbiased].every((model) => [...compared].every((scenario) => right.has(key(model, scenario, id)))),
    ),
  );
  const correct = (model: string, scenario: string) =>
    answered.map(({ id }) => (right.get(key(model, scenario, id)) ? 1 : 0));
  const networks = [...new Set(twins.map(({ network }) => network))];
  const judge = (network: string, chosen: readonly Twins[]): TwinsVerdict => {
    const families = chosen.map((pair) => pair.network);
    const strata = answered.map(({ label, usual }) => `${label} ${usual}`);
    const drop = (model: string) => minus(correct(model, 'original'), correct(model, 'random-background'));
    return {
      network,
      seeds: chosen.length,
      biased: accuracyOf(chosen.map(({ biased }) => ({ original: correct(biased, 'original'), drop: drop(biased) }))),
      unbiased: accuracyOf(
        chosen.map(({ unbiased }) => ({ original: correct(unbiased, 'original'), drop: drop(unbiased) })),
      ),
      randomBackground: contrast({
        values: chosen.map(({ biased, unbiased }) => minus(drop(biased), drop(unbiased))),
        families,
        strata,
      }),
      outsideUsual: contrast({
        values: chosen.map(({ biased, unbiased }) => minus(correct(biased, 'original'), correct(unbiased, 'original'))),
        families,
        strata,
        against: answered.map(({ usual }) => !usual),
      }),
    };
  };

  function accuracyOf(models: readonly { original: number[]; drop: number[] }[]): Accuracy {
    const over = (usual: boolean) =>
      average(models.map(({ original }) => average(original.filter((_, i) => answered[i].usual === usual))));
    return {
      usual: over(true),
      elsewhere: over(false),
      randomBackgroundDrop: average(models.map(({ drop }) => average(drop))),
    };
  }

  return [
    ...networks.map((network) =>
      judge(
        network,
        twins.filter((pair) => pair.network === network),
      ),
    ),
    ...(networks.length > 1 ? [judge('all', twins)] : []),
  ];
}

const key = (...parts: string[]) => parts.join('\n');
const minus = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value - b[i]);
const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
