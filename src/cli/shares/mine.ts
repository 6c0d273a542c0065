import { z } from 'zod';
import { attackModels } from '../../mine/attack-run.ts';
import { poolFeatures } from '../../mine/pool-features.ts';
import { readPool } from '../../mine/read-pool.ts';
import { withRunFolder } from '../../run/folder/index.ts';
import { openInputs, threadsFrom } from '../../run/inputs.ts';
import { openFeatureReader } from '../../run/picture-features.ts';
import type { ShareWork } from '../../run/queue/share-work.ts';

/** The run folder. */
const run = z.string();

const attackSchema = z.strictObject({
  work: z.literal('attack'),
  run,
  pictures: z.number().int().positive(),
  queries: z.number().int().positive(),
  epsilon: z.number().positive(),
  seed: z.number(),
});
export type AttackChoices = z.infer<typeof attackSchema>;

const featuresSchema = z.strictObject({
  work: z.literal('features'),
  run,
  /** ONNX network. */
  backbone: z.string(),
});
export type FeaturesChoices = z.infer<typeof featuresSchema>;

export const minePaths = ['run', 'backbone'] as const;

/** Of `mine`, what is made of samples: the Square attack and a network's features; choosing, transfer and review need all of them. */
export const mineShares: ShareWork = {
  paths: minePaths,
  async open({ config, choices, version }) {
    const given = z.discriminatedUnion('work', [attackSchema, featuresSchema]).parse(choices);
    if (given.work === 'features') {
      const { pool } = await withRunFolder(given.run, (folder) => readPool(folder));
      const reader = await openFeatureReader(given.backbone, { threads: threadsFrom(config.threads) });
      const work = { run: given.run, dataset: config, reader, sideBySide: true };
      return { carryOut: (share) => poolFeatures(pool, { ...work, share }), close: reader.close };
    }
    const inputs = await openInputs(config, { version });
    return { carryOut: (share) => attackModels(inputs, { ...given, share, sideBySide: true }) };
  },
};
