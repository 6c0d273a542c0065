import type { SchedulerConfig } from './config.ts';

type Spacing = NonNullable<SchedulerConfig['timestep_spacing']>;

/** NumPy's round: halves go to the even neighbour. */
export const roundHalfEven = (x: number): number => {
  const down = Math.floor(x);
  const rest = x - down;
  return rest < 0.5 || (rest === 0.5 && down % 2 === 0) ? down : down + 1;
};

/** Which of the training steps are visited, noisiest first; Lin et al. (2023), table 2. */
export function spaceTimesteps(
  steps: number,
  { num_train_timesteps: trained, steps_offset: offset }: SchedulerConfig,
  spacing: Spacing,
): number[] {
  const list = (of: (i: number) => number) => Array.from({ length: steps }, (_, i) => of(i));
  if (spacing === 'linspace') return list((i) => (steps === 1 ? 0 : ((trained - 1) * i) / (steps - 1))).reverse();
  if (spacing === 'leading') {
    const ratio = Math.floor(trained / steps);
    return list((i) => i * ratio + offset).reverse();
  }
  return list((i) => roundHalfEven(trained - (i * trained) / steps) - 1);
}
