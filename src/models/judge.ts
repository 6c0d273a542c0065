/** What one row of predictions says about a classifier's answer. */
export interface Judgement {
  /** Output that came first. */
  readonly first: number;
  readonly probability: number;
  /** Of the accepted outputs together. */
  readonly probabilityTruth: number;
  /** 1: an accepted output came first; 0: there is none. */
  readonly rankTruth: number;
  readonly correct: boolean;
  /** The first among the outputs of the dataset's own classes is an accepted one. */
  readonly correctOwn: boolean;
}

export interface JudgeOptions {
  readonly outputs: 'logits' | 'probabilities';
  /** Accepted outputs, any of which is right. */
  readonly targets: Iterable<number>;
  /** Outputs that belong to the dataset's own classes. */
  readonly own: Iterable<number>;
}

/** Equal scores go to the lower index, as with NumPy's and PyTorch's argmax. */
export function judge(scores: Float32Array, { outputs, targets, own }: JudgeOptions): Judgement {
  let first = 0;
  for (let i = 1; i < scores.length; i++) if (scores[i] > scores[first]) first = i;
  let total = 1;
  if (outputs === 'logits') {
    total = 0;
    for (const score of scores) total += Math.exp(score - scores[first]);
  }
  const probabilityOf = (i: number) => (outputs === 'logits' ? Math.exp(scores[i] - scores[first]) / total : scores[i]);

  let best = -1;
  let probabilityTruth = 0;
  const accepted = new Set(targets);
  for (const target of accepted) {
    if (target >= scores.length) continue;
    probabilityTruth += probabilityOf(target);
    if (best < 0 || before(scores, target, best)) best = target;
  }
  let rankTruth = best < 0 ? 0 : 1;
  if (best >= 0) for (let i = 0; i < scores.length; i++) if (before(scores, i, best)) rankTruth++;

  let firstOwn = -1;
  for (const output of own)
    if (output < scores.length && (firstOwn < 0 || before(scores, output, firstOwn))) firstOwn = output;
  return {
    first,
    probability: probabilityOf(first),
    probabilityTruth,
    rankTruth,
    correct: accepted.has(first),
    correctOwn: accepted.has(firstOwn),
  };
}

const before = (scores: Float32Array, a: number, b: number) =>
  scores[a] > scores[b] || (scores[a] === scores[b] && a < b);
