import { z } from 'zod';
import { attackModels } from '../../mine/attack-run.ts';
import { openInputs } from '../../run/inputs.ts';
import type { ShareWork } from '../../run/queue/share-work.ts';

const choicesSchema = z.strictObject({
  /** The run folder. */
  run: z.string(),
  pictures: z.number().int().positive(),
  queries: z.number().int().positive(),
  epsilon: z.number().positive(),
  seed: z.number(),
});
export type AttackChoices = z.infer<typeof choicesSchema>;

export const attackPaths = ['run'] as const;

/** Of `mine`, the Square attack, photograph by photograph; choosing, transfer and review need all answers together. */
export const attackShares: ShareWork = {
  paths: attackPaths,
  async open({ config, choices, version }) {
    const given = choicesSchema.parse(choices);
    const inputs = await openInputs(config, { version });
    return { carryOut: (share) => attackModels(inputs, { ...given, share, sideBySide: true }) };
  },
};
