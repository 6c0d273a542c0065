import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expected, SampleError, UserError } from '../../contracts/errors.ts';
import { fixedOf } from '../../contracts/numbers.ts';
import { isInShare } from '../../contracts/queue.ts';
import { machineCsv } from '../../formats/csv-write.ts';
import { openDiffusionProvider } from '../../generate/diffusion/provider.ts';
import type { PromptItem } from '../../generate/prompts/grammar.ts';
import { imagenetDMap } from '../../labels/imagenet-d.ts';
import { writeAtomic } from '../../run/atomic.ts';
import { inOwnFolder } from '../../run/folder/index.ts';
import { generatePictures, type PictureRecord } from '../../run/generate-pictures.ts';
import { writeDropped } from '../../run/generated-folder.ts';
import { dropBroken } from '../../run/generated-quality.ts';
import { threadsFrom } from '../../run/inputs.ts';
import { defineCommand } from '../command.ts';
import { type GenerateValues, options } from '../generate/options.ts';
import { type Plan, planFrom } from '../generate/plan.ts';
import { diffusionFolder, openProvider } from '../generate/provider.ts';
import { onInterrupt } from '../interrupt.ts';
import { checkShared, generatePart } from '../shares/generate.ts';
import { objectsText } from '../ui/objects-text.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';

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
    checkShared(values);
    const provider = await openProvider(values);
    const interrupt = onInterrupt('Finishing the pictures in hand');
    const progress = createProgress({ title: 'generate', noun: 'pictures', total: items.length });
    try {
      const { made, kept, dropped, objects } = await inOwnFolder(out, async () => {
        // Removed first, so that an interrupted call leaves no manifest that looks complete.
        await rm(join(out, 'manifest.csv'), { force: true });
        const { share, elsewhere } = generatePart(values, out, interrupt.signal);
        const own = items.filter((_, place) => isInShare(place, share));
        const made = await generatePictures({
          ...{ items: own, provider, out, editOf, budget: values.budget, signal: interrupt.signal, elsewhere },
          // The engine takes all cores for one picture.
          parallel: provider.id === 'diffusion' ? 1 : values.parallel,
          requestsPerMinute: values['requests-per-minute'],
          cacheDir: values.cache && resolve(values.cache),
          size: { width: values.width, height: values.height },
          onProgress: (done) => progress.update(done),
        });
        progress.finish();
        interrupt.signal.throwIfAborted();
        // What follows is made again by the same command: an interrupt simply ends it.
        interrupt.done();
        // What is broken or too much alike is known of all pictures together.
        if (share) return { made, kept: made.pictures, dropped: [], objects: undefined };
        return { made, ...(await list(made.pictures, out, values, editOf)) };
      });
      const warnings = [...new Set(made.pictures.flatMap((picture) => picture.warnings))];
      for (const warning of warnings) process.stderr.write(`! ${warning}\n`);
      const { pictures, ...counts } = made;
      print(
        values.json,
        { out, kept: kept.length, dropped, ...(objects && { objects }), ...counts, images: pictures },
        () =>
          [
            summary(made, { kept, dropped, out, share: values.shard }),
            ...(objects?.length ? [objectsText(objects)] : []),
          ].join('\n'),
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

async function listWords(values: GenerateValues): Promise<void> {
  const provider = await openDiffusionProvider({
    folder: await diffusionFolder(values.diffusion),
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
    share,
  }: {
    kept: readonly PictureRecord[];
    dropped: readonly { id: string; reason: string }[];
    out: string;
    share?: string;
  },
): string {
  const parts = [`${made} made`, found && `${found} were there`, cached && `${cached} from the cache`].filter(Boolean);
  return [
    `${kept.length} pictures in ${out} (${parts.join(', ')})`,
    dropped.length &&
      `${dropped.length} left out of the manifest, reasons in dropped.csv; first: ${dropped[0].id}: ${dropped[0].reason}`,
    errors.length && `${errors.length} refused, reasons in errors.jsonl; first: ${errors[0].message}`,
    overBudget && `${overBudget} not asked for: the budget is spent`,
    share &&
      `Share ${share} alone; join all of them with sceneshift merge, then the same command without --shard lists them`,
  ]
    .filter(Boolean)
    .join('\n');
}
