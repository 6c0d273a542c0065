import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { configSchema } from '../../contracts/config.ts';
import { expected, SampleError, UserError } from '../../contracts/errors.ts';
import { fixedOf } from '../../contracts/numbers.ts';
import { machineCsv } from '../../formats/csv-write.ts';
import { embeddedModel } from '../../generate/diffusion/embedded.ts';
import { openDiffusionProvider } from '../../generate/diffusion/provider.ts';
import { schedulerIds } from '../../generate/diffusion/schedulers/index.ts';
import type { PromptItem } from '../../generate/prompts/grammar.ts';
import type { EditRequest, Provider } from '../../generate/provider.ts';
import { commandProvider, folderProvider, httpProviders, readProvider } from '../../generate/providers/index.ts';
import { usualMostChanged } from '../../generate/quality/object-kept.ts';
import { decodeImage } from '../../image/decode.ts';
import { createMask } from '../../image/raster.ts';
import { imagenetDMap } from '../../labels/imagenet-d.ts';
import { splitCommand } from '../../models/command/argv.ts';
import { writeAtomic } from '../../run/atomic.ts';
import { openConfiguredDataset } from '../../run/configured-dataset.ts';
import { inOwnFolder } from '../../run/folder/index.ts';
import { generatePictures, type PictureRecord } from '../../run/generate-pictures.ts';
import { planBackgrounds, planGrid, planPrompts, planSheet, readSheet } from '../../run/generate-plan.ts';
import { writeDropped } from '../../run/generated-folder.ts';
import { dropBroken } from '../../run/generated-quality.ts';
import { photographOptions, threadsFrom } from '../../run/inputs.ts';
import { defineCommand, type Values } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { dataOptions, workOptions } from '../options.ts';
import { objectsText } from '../ui/objects-text.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';

const options = {
  provider: {
    type: 'string',
    value: 'NAME',
    describe:
      "what makes the pictures: diffusion, automatic1111, comfyui, openai, stability, replicate, hugging-face, folder:DIR, command:'PROGRAM …'",
    default: 'diffusion',
  },
  prompt: { type: 'string', value: 'TEXT', multiple: true, describe: 'what is to be seen; may be given several times' },
  grid: { type: 'string', value: 'FILE', describe: "categories × nuisances: imagenet-d, or a YAML file of one's own" },
  sheet: { type: 'string', value: 'FILE', describe: 'a table of label and prompt, one prompt per class' },
  data: {
    type: 'string',
    value: 'DATA',
    describe: 'paint around the objects of these photographs; then run --generated OUT',
  },
  masks: dataOptions.masks,
  layout: dataOptions.layout,
  categories: { type: 'string', value: 'A,B', describe: 'only these of the grid' },
  kinds: { type: 'string', value: 'A,B', describe: 'only these kinds of nuisance' },
  sample: { type: 'number', value: 'N', describe: 'so many of the grid, spread evenly over classes and kinds' },
  negative: { type: 'string', value: 'TEXT', describe: 'what is not to be seen' },
  count: { type: 'number', describe: 'pictures of each prompt, with seeds one after the other', default: 1 },
  seed: { type: 'number', describe: 'seed of the first picture', default: 0 },
  plan: { type: 'boolean', describe: 'say what would be made and what it would cost, and make nothing' },
  price: { type: 'number', value: 'MONEY', describe: 'of one picture, for --plan' },
  budget: { type: 'number', value: 'N', describe: 'never pay for more pictures than this into OUT, over all calls' },
  parallel: { type: 'number', describe: 'requests at a time', default: 4 },
  'requests-per-minute': { type: 'number', value: 'N', describe: 'at most so many' },
  url: {
    type: 'string',
    value: 'URL',
    describe: "where the service listens, where it is not the provider's usual place",
  },
  'provider-model': { type: 'string', value: 'NAME', describe: "the service's model" },
  set: { type: 'string', value: 'NAME=VALUE', multiple: true, describe: "a setting of the service's own: steps=30" },
  workflow: {
    type: 'string',
    value: 'FILE',
    describe: "ComfyUI's graph in API format, {prompt} and {seed} where they go",
  },
  width: { type: 'number', value: 'PX', describe: "the model's own where left out" },
  height: { type: 'number', value: 'PX', describe: "the model's own where left out" },
  image: { type: 'string', value: 'FILE', describe: 'a picture to start from' },
  keep: { type: 'string', value: 'FILE', describe: 'mask of what is to be kept of it: white stays, black is painted' },
  strength: { type: 'number', value: 'SHARE', describe: 'how far from the picture, 0 to 1' },
  diffusion: { type: 'string', value: 'DIR', describe: 'an ONNX Stable Diffusion instead of the embedded model' },
  scheduler: { type: 'string', choices: schedulerIds, describe: "the model's own where left out" },
  steps: { type: 'number', describe: "the model's own where left out" },
  guidance: { type: 'number', describe: 'how closely the prompt is followed; 1: no guidance' },
  words: { type: 'boolean', describe: 'list the words the model knows, and make nothing' },
  clip: {
    type: 'string',
    value: 'DIR',
    describe: 'CLIP-type pair of encoders that tells how well a picture shows its prompt, for --least-clip',
  },
  'least-clip': { type: 'number', value: 'S', describe: 'drop pictures with a lower CLIP score' },
  'most-changed': {
    type: 'number',
    value: 'SHARE',
    describe: `with --data: drop pictures in which more of the object changed (default ${usualMostChanged})`,
  },
  'keep-all': { type: 'boolean', describe: 'also what is broken or nearly the same as another' },
  cache: { type: 'string', value: 'DIR', describe: 'pictures paid for before, shared by several folders' },
  out: { type: 'string', value: 'DIR', describe: 'folder to write; pictures that are there already are kept' },
  threads: workOptions.threads,
} as const;
type GenerateValues = Values<typeof options>;

export const generate = defineCommand({
  name: 'generate',
  summary: 'Make pictures from words, offline with the embedded diffusion model, or with any service or program.',
  options,
  examples: [
    'sceneshift generate --prompt "a snowy street at dusk" --count 8 --out pictures/',
    'sceneshift generate --grid imagenet-d --sample 500 --provider openai --price 0.04 --plan',
    'sceneshift generate --data photos/ --sheet prompts.csv --provider comfyui --out generated/',
  ],
  async run(values) {
    if (!Number.isInteger(values.count) || values.count < 1)
      throw expected('a whole number, 1 or more', '--count', values.count);
    if (!Number.isInteger(values.seed)) throw expected('a whole number', '--seed', values.seed);
    if (values.words) return listWords(values);
    const { items, editOf } = await planFrom(values);
    if (values.plan) return showPlan(values, items);
    if (!values.out) throw expected('a folder to write', '--out', undefined);
    const out = resolve(values.out);
    const provider = await openProvider(values);
    const interrupt = onInterrupt('Finishing the pictures in hand');
    const progress = createProgress({ title: 'generate', noun: 'pictures', total: items.length });
    try {
      const { made, kept, dropped, objects } = await inOwnFolder(out, async () => {
        // Until all pictures are made there is nothing that could be read as the whole.
        await rm(join(out, 'manifest.csv'), { force: true });
        const made = await generatePictures({
          ...{ items, provider, out, editOf, budget: values.budget, signal: interrupt.signal },
          // The engine takes all cores for one picture.
          parallel: provider.id === 'diffusion' ? 1 : values.parallel,
          requestsPerMinute: values['requests-per-minute'],
          cacheDir: values.cache && resolve(values.cache),
          size: { width: values.width, height: values.height },
          onProgress: (done) => progress.update(done),
        });
        progress.finish();
        if (made.interrupted) throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
        return { made, ...(await list(made.pictures, out, values, editOf)) };
      });
      const warnings = [...new Set(made.pictures.flatMap((picture) => picture.warnings))];
      for (const warning of warnings) process.stderr.write(`! ${warning}\n`);
      const { pictures, ...counts } = made;
      print(
        values.json,
        { out, kept: kept.length, dropped, ...(objects && { objects }), ...counts, images: pictures },
        () => [summary(made, { kept, dropped, out }), ...(objects?.length ? [objectsText(objects)] : [])].join('\n'),
      );
      if (!made.pictures.length)
        throw new UserError(`No picture could be made: ${made.errors[0]?.message ?? 'the budget is spent'}`, {
          exitCode: 1,
        });
    } finally {
      interrupt.done();
      progress.finish();
      await provider.close?.();
    }
  },
});

/** The manifest, and beside it what was left out of it. */
async function list(
  pictures: readonly PictureRecord[],
  out: string,
  values: GenerateValues,
  editOf: Plan['editOf'],
): Promise<Awaited<ReturnType<typeof dropBroken>>> {
  const { clip, 'least-clip': least, 'keep-all': all, 'most-changed': mostChanged } = values;
  const fit = clip && least !== undefined ? { clip: resolve(clip), least, threads: threadsFrom(undefined) } : undefined;
  const sourceOf = async (picture: PictureRecord) => {
    const edit = await editOf?.(picture);
    if (!edit) throw new SampleError('other', `${picture.id} was made around nothing`);
    return { image: edit.image, mask: edit.keep };
  };
  const object = values.data && editOf ? { mostChanged, sourceOf } : undefined;
  const found = all ? { kept: [...pictures], dropped: [] } : await dropBroken(pictures, out, { fit, object });
  await writeDropped(out, found.dropped);
  await writeAtomic(out, 'manifest.csv', manifestOf(found.kept));
  return found;
}

interface Plan {
  readonly items: readonly PromptItem[];
  readonly editOf?: (item: Pick<PromptItem, 'id'>) => Promise<EditRequest | undefined>;
}

async function planFrom(values: GenerateValues): Promise<Plan> {
  const { prompt, grid, sheet, data, negative } = values;
  const seeds = Array.from({ length: values.count }, (_, i) => values.seed + i);
  if (data) {
    const dataset = await openConfiguredDataset({
      data: resolve(data),
      layout: values.layout,
      masks: values.masks && resolve(values.masks),
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

function showPlan({ json, price, budget }: GenerateValues, items: readonly PromptItem[]): void {
  const pictures = Math.min(items.length, budget ?? items.length);
  const cost = price === undefined ? null : pictures * price;
  const step = Math.max(1, Math.floor(items.length / 5));
  const examples = items.filter((_, i) => i % step === 0).slice(0, 5);
  const count = (word: 'category' | 'kind') => new Set(items.map((item) => item[word])).size;
  const result = {
    pictures,
    prompts: items.length,
    categories: count('category'),
    kinds: count('kind'),
    cost,
    examples,
  };
  print(json, result, () =>
    [
      `${pictures} pictures: ${count('category')} categories, ${count('kind')} kinds of nuisance, ${new Set(items.map(({ seed }) => seed)).size} seeds`,
      cost === null ? 'Cost: give --price to see it' : `Cost: ${fixedOf(cost, 2)} at ${price} a picture`,
      ...examples.map(({ prompt, seed }) => `  ${prompt}  (seed ${seed})`),
    ].join('\n'),
  );
}

async function openProvider(values: GenerateValues): Promise<Provider> {
  const choice = readProvider(values.provider);
  if (choice.kind === 'folder') return folderProvider(resolve(choice.folder));
  if (choice.kind === 'command') return commandProvider(splitCommand(choice.line));
  if (choice.kind === 'diffusion')
    return openDiffusionProvider({
      folder:
        values.diffusion || choice.folder ? resolve(values.diffusion ?? (choice.folder as string)) : embeddedModel(),
      threads: threadsFrom(values.threads),
      scheduler: values.scheduler,
      steps: values.steps,
      guidance: values.guidance,
    });
  const workflow = values.workflow && JSON.parse(await readFile(values.workflow, 'utf8'));
  return httpProviders[choice.id]({
    url: values.url,
    model: values['provider-model'],
    settings: settingsFrom(values.set),
    workflow,
  });
}

/** `steps=30` becomes the number 30, `quality=high` stays a word. */
function settingsFrom(pairs: readonly string[] | undefined): Record<string, string | number | boolean> {
  return Object.fromEntries(
    (pairs ?? []).map((pair) => {
      const [name, ...rest] = pair.split('=');
      const text = rest.join('=');
      if (!name || !rest.length) throw expected('NAME=VALUE', '--set', pair);
      const value =
        text === 'true' || text === 'false'
          ? text === 'true'
          : text !== '' && Number.isFinite(Number(text))
            ? Number(text)
            : text;
      return [name, value];
    }),
  );
}

async function listWords(values: GenerateValues): Promise<void> {
  const provider = await openDiffusionProvider({
    folder: values.diffusion ? resolve(values.diffusion) : embeddedModel(),
    threads: threadsFrom(values.threads),
  });
  const words = [...(provider.words ?? [])].sort();
  print(values.json, { words }, () => (words.length ? words.join(' ') : 'The model reads any text'));
  await provider.close?.();
}

/** Pictures of one prompt are one group; what varied them are factors that `analyze` and `mine` read. */
function manifestOf(pictures: readonly PictureRecord[]): string {
  const header = [
    'image',
    'label',
    'target',
    'group',
    'kind',
    'nuisance',
    'strategy',
    'seed',
    'prompt',
    'negative',
    'provider',
    'model',
    'version',
  ];
  return machineCsv(
    header,
    pictures.map((picture) => [
      ...[picture.image, picture.category, (imagenetDMap.get(picture.category) ?? []).join('|')],
      ...[
        [picture.kind, picture.category, picture.nuisance, picture.strategy].join(' '),
        picture.kind,
        picture.nuisance,
      ],
      ...[picture.strategy, picture.seed, picture.prompt, picture.negative ?? '', picture.provider, picture.model],
      picture.version ?? '',
    ]),
  );
}

function summary(
  { found, cached, made, errors, overBudget }: Awaited<ReturnType<typeof generatePictures>>,
  {
    kept,
    dropped,
    out,
  }: { kept: readonly PictureRecord[]; dropped: readonly { id: string; reason: string }[]; out: string },
): string {
  const parts = [`${made} made`, found && `${found} were there`, cached && `${cached} from the cache`].filter(Boolean);
  return [
    `${kept.length} pictures in ${out} (${parts.join(', ')})`,
    dropped.length &&
      `${dropped.length} left out of the manifest, reasons in dropped.csv; first: ${dropped[0].id}: ${dropped[0].reason}`,
    errors.length && `${errors.length} refused, reasons in errors.jsonl; first: ${errors[0].message}`,
    overBudget && `${overBudget} not asked for: the budget is spent`,
  ]
    .filter(Boolean)
    .join('\n');
}

async function editOf({ image: path, keep: maskPath, strength }: GenerateValues): Promise<EditRequest | undefined> {
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
