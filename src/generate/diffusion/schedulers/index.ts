import { UserError } from '../../../contracts/errors.ts';
import { ddim } from './ddim.ts';
import { ddpm } from './ddpm.ts';
import type { Scheduler } from './define.ts';
import { dpmSolver } from './dpm-solver.ts';
import { euler } from './euler.ts';
import { lcm } from './lcm.ts';

export const schedulers: readonly Scheduler[] = [ddpm, ddim, euler, dpmSolver, lcm];
export const schedulerIds = schedulers.map(({ id }) => id);

/** By its id here (`ddim`) or its class in diffusers (`DDIMScheduler`). */
export function findScheduler(name: string, where: string): Scheduler {
  const found = schedulers.find(({ id, className }) => name === id || name === className);
  if (found) return found;
  throw new UserError(
    `${where} asks for the scheduler '${name}', which is not one of ${schedulers.map(({ className }) => className).join(', ')}; choose another with --scheduler ${schedulerIds.join('|')}`,
  );
}
