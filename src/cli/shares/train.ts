import { z } from 'zod';
import type { ShareWork } from '../../run/queue/share-work.ts';
import { computeShare } from '../../train/train.ts';
import { trainOptions } from '../train/train-options.ts';

const choicesSchema = z.strictObject({
  layer: z.string().optional(),
  on: z.array(z.string()),
  helps: z.boolean(),
  salient: z.string().optional(),
  offline: z.boolean(),
});
/** What decides the features; how heads are fitted is the coordinator's. */
export type FeatureChoices = z.infer<typeof choicesSchema>;

export const featurePaths = ['salient'] as const;

export const trainShares: ShareWork = {
  paths: featurePaths,
  async open({ config, choices, out }) {
    const options = await trainOptions(config, { salient: undefined, ...choicesSchema.parse(choices) });
    return { carryOut: (share) => computeShare({ ...options, out, share, sideBySide: true }) };
  },
};
