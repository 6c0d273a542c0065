import { UserError } from '../../../contracts/errors.ts';
import { ddim } from './ddim.ts';
import { ddpm } from './ddpm.ts';
import type { Scheduler } from './define.ts';
import { dpmSolver } from './dpm-solver.ts';
import { euler } from './euler.ts';
import { lcm } from './lcm.ts';

export const schedulers: readonly Scheduler[] = [ddpm, ddim, euler, dpmSolver, lcm];
export const schedulerIds = schedulers.map(({ id }) => id);

/**
 * Multistep solvers that most folders of Stable Diffusion 1.x name and that are not built here: DPM-Solver++, which
 * solves the same equation, takes their place.
 */
const standIns: Readonly<Record<string, Scheduler>> = {
  PNDMScheduler: dpmSolver,
  LMSDiscreteScheduler: dpmSolver,
  UniPCMultistepScheduler: dpmSolver,
};

/** What a folder asks for, or what stands in for it, with a line that says so. */
export function schedulerFor(name: string, where: string): { scheduler: Scheduler; warnings: readonly string[] } {
  const standIn = standIns[name];
  if (!standIn) return { scheduler: findScheduler(name, where), warnings: [] };
  const warning = `the model's ${name} is not among the schedulers here; ${standIn.id}, which solves the same equation, stands in (--scheduler chooses another)`;
  return { scheduler: standIn, warnings: [warning] };
}

/** By its id here (`ddim`) or its class in diffusers (`DDIMScheduler`). */
export function findScheduler(name: string, where: string): Scheduler {
  const found = schedulers.find(({ id, className }) => name === id || name === className);
  if (found) return found;
  throw new UserError(
    `${where} asks for the scheduler '${name}', which is not one of ${schedulers.map(({ className }) => className).join(', ')}; choose another with --scheduler ${schedulerIds.join('|')}`,
  );
}
