import { UserError } from '../contracts/errors.ts';
import type { FeaturePlan } from './feature-plan.ts';
import { type HeadPlan, rowsOf } from './head-plan.ts';

const advice = 'give fewer --folds or more pictures';

/**
 * Warns where unusable pictures leave a class out of a fold's training, so that its head never answers that class
 * there; throws where nothing at all is left to train a head on.
 */
export function unseenClasses(
  plan: FeaturePlan,
  heads: readonly HeadPlan[],
  classes: readonly string[],
  has: (key: string) => boolean,
): string[] {
  const warnings = new Set<string>();
  for (const head of heads) {
    const rows = rowsOf(plan, head, has);
    const tested = [...new Set(rows.folds)].sort((a, b) => a - b);
    for (const fold of tested) {
      const seen = new Set(rows.classes.filter((_, row) => rows.folds[row] !== fold));
      const where = `where fold ${fold + 1} is tested`;
      if (!seen.size)
        throw new UserError(`Nothing usable is left to train the head of ${head.name} on ${where}; ${advice}`, {
          exitCode: 1,
        });
      const unseen = classes.filter((_, code) => !seen.has(code) && rows.classes.includes(code));
      if (unseen.length)
        warnings.add(
          `No usable picture of ${unseen.join(', ')} is left to train on ${where}, so it is never answered there; ${advice}`,
        );
    }
  }
  return [...warnings];
}
