import { logGamma } from './log-gamma.ts';

const logChoose = (n: number, k: number) => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);

/** P(X ≥ drawn) where `draws` are taken without putting back from `all`, of which `marked` are marked: Fisher's exact test, one side. */
export function hypergeometricTail(
  drawn: number,
  { all, marked, draws }: { all: number; marked: number; draws: number },
): number {
  const most = Math.min(marked, draws);
  if (drawn <= Math.max(0, draws - (all - marked))) return 1;
  const whole = logChoose(all, draws);
  let sum = 0;
  for (let k = most; k >= drawn; k--)
    sum += Math.exp(logChoose(marked, k) + logChoose(all - marked, draws - k) - whole);
  return Math.min(1, sum);
}
