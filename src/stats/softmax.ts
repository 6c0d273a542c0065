/** The logarithm of the sum of exponentials, of all scores or of those at some places. */
export function logSumExp(scores: ArrayLike<number>, at?: readonly number[]): number {
  const { largest, sum } = powersOf(scores, at);
  return largest + Math.log(sum);
}

/** The softmax of scores, output by output: an array of all of them would cost more than the two that are wanted. */
export function softmaxOf(scores: ArrayLike<number>): (index: number) => number {
  const { largest, sum } = powersOf(scores);
  return (index) => Math.exp(scores[index] - largest) / sum;
}

export const softmax = (scores: ArrayLike<number>): number[] => {
  const of = softmaxOf(scores);
  return Array.from(scores, (_, index) => of(index));
};

function powersOf(scores: ArrayLike<number>, at?: readonly number[]) {
  const count = at?.length ?? scores.length;
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) largest = Math.max(largest, scores[at?.[i] ?? i]);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += Math.exp(scores[at?.[i] ?? i] - largest);
  return { largest, sum };
}
