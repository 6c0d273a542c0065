import { z } from 'zod';
import { configSchema } from '../../contracts/config.ts';
import { expected, UserError } from '../../contracts/errors.ts';
import { isInShare } from '../../contracts/queue.ts';
import { schedulerIds } from '../../generate/diffusion/schedulers/index.ts';
import { readProvider } from '../../generate/providers/index.ts';
import { generatePictures } from '../../run/generate-pictures.ts';
import type { PartOptions } from '../../run/part.ts';
import type { ShareWork } from '../../run/queue/share-work.ts';
import { resolvePlace } from '../../storage/s3-url.ts';
import type { GenerateValues } from '../generate/options.ts';
import { planFrom } from '../generate/plan.ts';
import { openProvider } from '../generate/provider.ts';
import { partFrom } from './options.ts';

const choicesSchema = z.strictObject({
  prompt: z.array(z.string()),
  /** The grid that has a name; others are files. */
  grid: z.literal('imagenet-d').optional(),
  gridFile: z.string().optional(),
  sheet: z.string().optional(),
  data: z.string().optional(),
  masks: z.string().optional(),
  layout: z.string().optional(),
  categories: z.string().optional(),
  kinds: z.string().optional(),
  sample: z.number().optional(),
  negative: z.string().optional(),
  count: z.number().int().positive(),
  seed: z.number().int(),
  width: z.number().optional(),
  height: z.number().optional(),
  image: z.string().optional(),
  keep: z.string().optional(),
  strength: z.number().optional(),
  diffusion: z.string().optional(),
  scheduler: z.enum(schedulerIds).optional(),
  steps: z.number().optional(),
  guidance: z.number().optional(),
});
type GenerateChoices = z.infer<typeof choicesSchema>;

const paths = ['gridFile', 'sheet', 'data', 'masks', 'image', 'keep', 'diffusion'] as const;

/** Pictures that cost money are counted in one place, and workers call no services: those are for one process. */
export function checkShared({ provider, budget, shard, queue }: GenerateValues): void {
  if (shard === undefined && queue === undefined) return;
  if (budget !== undefined)
    throw new UserError('A --budget holds for one process; leave out --shard and --queue, or the budget');
  if (queue !== undefined && readProvider(provider).kind !== 'diffusion')
    throw expected('diffusion', '--provider with --queue', provider, 'workers call neither services nor programs');
}

/** What `--shard` and `--queue` make of the pictures to paint. */
export function generatePart(values: GenerateValues, out: string, signal: AbortSignal): PartOptions {
  const config = configSchema.parse({});
  return partFrom(values, { command: 'generate', config, choices: choicesOf(values), paths, out, signal });
}

function choicesOf(values: GenerateValues): GenerateChoices {
  const provider = readProvider(values.provider);
  const ownModel = provider.kind === 'diffusion' ? provider.folder : undefined;
  const whole = (path: string | undefined) => path && resolvePlace(path);
  const { prompt, layout, categories, kinds, sample, negative, count, seed } = values;
  const { width, height, strength, scheduler, steps, guidance } = values;
  return {
    ...{ prompt, layout, categories, kinds, sample, negative, count, seed },
    ...{ width, height, strength, steps, guidance },
    scheduler: scheduler as GenerateChoices['scheduler'],
    ...(values.grid === 'imagenet-d' ? { grid: values.grid } : { gridFile: whole(values.grid) }),
    sheet: whole(values.sheet),
    data: whole(values.data),
    masks: whole(values.masks),
    image: whole(values.image),
    keep: whole(values.keep),
    diffusion: whole(values.diffusion ?? ownModel),
  };
}

export const generateShares: ShareWork = {
  paths,
  async open({ config, choices, out }) {
    const { gridFile, ...given } = choicesSchema.parse(choices);
    const values = { ...given, grid: gridFile ?? given.grid, provider: 'diffusion', threads: config.threads };
    const { items, editOf } = await planFrom(values as GenerateValues);
    const provider = await openProvider(values as GenerateValues);
    const { width, height } = given;
    return {
      carryOut: (share) =>
        generatePictures({
          items: items.filter((_, place) => isInShare(place, share)),
          ...{ provider, out, editOf, parallel: 1, size: { width, height }, sideBySide: true },
        }),
      close: async () => provider.close?.(),
    };
  },
};
