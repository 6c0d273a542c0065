import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configSchema } from '../../contracts/config.ts';
import { expected } from '../../contracts/errors.ts';
import type { PromptItem } from '../../generate/prompts/grammar.ts';
import type { EditRequest } from '../../generate/provider.ts';
import { decodeImage } from '../../image/decode.ts';
import { createMask } from '../../image/raster.ts';
import { openConfiguredDataset } from '../../run/configured-dataset.ts';
import { planBackgrounds, planGrid, planPrompts, planSheet, readSheet } from '../../run/generate-plan.ts';
import { photographOptions } from '../../run/inputs.ts';
import { localPlace } from '../../storage/local-place.ts';
import { resolvePlace } from '../../storage/s3-url.ts';
import type { GenerateValues } from './options.ts';

/** What pictures are asked for, in one order whoever asks. */
export interface Plan {
  readonly items: readonly PromptItem[];
  readonly editOf?: (item: Pick<PromptItem, 'id'>) => Promise<EditRequest | undefined>;
}

export async function planFrom(values: GenerateValues): Promise<Plan> {
  const { prompt, data, negative } = values;
  const sheet = values.sheet && (await localPlace(values.sheet, '--sheet'));
  const grid = values.grid && (await localPlace(values.grid, '--grid'));
  const seeds = Array.from({ length: values.count }, (_, i) => values.seed + i);
  if (data) {
    const dataset = await openConfiguredDataset({
      data: resolvePlace(data),
      layout: values.layout,
      masks: values.masks && resolvePlace(values.masks),
    });
    return planBackgrounds(dataset, {
      ...{ prompt: prompt?.[0], sheet: sheet ? await readSheet(sheet) : undefined, seed: values.seed, negative },
      photographs: photographOptions(configSchema.parse({ data })),
    });
  }
  if ([prompt?.length, grid, sheet].filter(Boolean).length !== 1)
    throw expected(
      'one of --prompt, --grid, --sheet',
      'what is to be seen',
      prompt?.length || grid || sheet ? 'several' : undefined,
    );
  if (sheet) return { items: await planSheet(sheet, { seeds, negative }) };
  if (grid) {
    const list = (text: string | undefined) => text?.split(',').map((word) => word.trim());
    const choice = { grid, seeds, negative, sample: values.sample, sampleSeed: values.seed };
    return { items: await planGrid({ ...choice, categories: list(values.categories), kinds: list(values.kinds) }) };
  }
  const edit = await editOf(values);
  return { items: planPrompts(prompt ?? [], { seeds, negative }), ...(edit && { editOf: async () => edit }) };
}

async function editOf({ image: given, keep: givenMask, strength }: GenerateValues): Promise<EditRequest | undefined> {
  const path = given && (await localPlace(given, '--image'));
  const maskPath = givenMask && (await localPlace(givenMask, '--keep'));
  if (strength !== undefined && !(strength > 0 && strength <= 1))
    throw expected('a share above 0, at most 1', '--strength', strength);
  if (!path) {
    if (maskPath || strength !== undefined)
      throw expected('a picture', '--image', undefined, 'which --keep and --strength are about');
    return undefined;
  }
  for (const file of [path, maskPath])
    if (file && !existsSync(file)) throw expected('a picture', '--image or --keep', join(file));
  const image = await decodeImage(path);
  if (!maskPath) return { image, strength };
  const mask = await decodeImage(maskPath);
  if (mask.width !== image.width || mask.height !== image.height)
    throw expected(`a mask of ${image.width}×${image.height}`, '--keep', `${mask.width}×${mask.height}`);
  const data = Uint8Array.from({ length: image.width * image.height }, (_, i) => (mask.data[i * 3] >= 128 ? 255 : 0));
  return { image, strength, keep: createMask(image.width, image.height, data) };
}
