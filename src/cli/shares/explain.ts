import { z } from 'zod';
import type { Config } from '../../contracts/config.ts';
import { baselineKinds, explainedClasses, saliencyMethods } from '../../contracts/saliency.ts';
import { type ExplainOptions, explainRun } from '../../explain/explain.ts';
import { openInputs } from '../../run/inputs.ts';
import type { ShareWork } from '../../run/queue/share-work.ts';

const choicesSchema = z.strictObject({
  /** The run folder. */
  run: z.string(),
  models: z.array(z.string()),
  scenarios: z.array(z.string()),
  wanted: z.strictObject({
    samples: z.array(z.string()),
    flipped: z.boolean(),
    random: z.number().optional(),
    perClass: z.number().optional(),
  }),
  method: z.enum(['auto', ...saliencyMethods]),
  layer: z.string().optional(),
  settings: z.strictObject({
    explained: z.enum(explainedClasses),
    baseline: z.enum(baselineKinds),
    steps: z.number(),
    masks: z.number(),
    cells: z.number(),
    converge: z.number(),
    patch: z.number(),
    stride: z.number(),
  }),
  offline: z.boolean(),
});
export type ExplainChoices = z.infer<typeof choicesSchema>;

export const explainPaths = ['run'] as const;

/** What `explain` was told, as the explaining takes it. */
export async function explainSettings(
  config: Config,
  { models, scenarios, offline, ...choices }: ExplainChoices,
  version: string,
): Promise<Omit<ExplainOptions, 'out'>> {
  return { ...(await openInputs(config, { version, offline, models, scenarios })), ...choices };
}

export const explainShares: ShareWork = {
  paths: explainPaths,
  async open({ config, choices, out, version }) {
    const settings = await explainSettings(config, choicesSchema.parse(choices), version);
    return { carryOut: (share) => explainRun({ ...settings, out, share, sideBySide: true }) };
  },
};
