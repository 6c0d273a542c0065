import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expected, UserError } from '../../contracts/errors.ts';
import { embeddedModel } from '../../generate/diffusion/embedded.ts';
import { openDiffusionProvider } from '../../generate/diffusion/provider.ts';
import { schedulerIds } from '../../generate/diffusion/schedulers/index.ts';
import type { EditRequest, GenerateRequest, Provenance, Provider } from '../../generate/provider.ts';
import { decodeImage } from '../../image/decode.ts';
import { createMask } from '../../image/raster.ts';
import { writeAtomic } from '../../run/atomic.ts';
import { hashJson } from '../../run/hash.ts';
import { defineCommand } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { threadsFrom, workOptions } from '../options.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';

export const generate = defineCommand({
  name: 'generate',
  summary: 'Make pictures from words, offline with the embedded diffusion model or with one of your own.',
  options: {
    provider: { type: 'string', choices: ['diffusion'], describe: 'what makes the pictures', default: 'diffusion' },
    prompt: {
      type: 'string',
      value: 'TEXT',
      multiple: true,
      describe: 'what is to be seen; may be given several times',
    },
    negative: { type: 'string', value: 'TEXT', describe: 'what is not to be seen' },
    count: { type: 'number', describe: 'pictures of each prompt, with seeds one after the other', default: 1 },
    seed: { type: 'number', describe: 'seed of the first picture', default: 0 },
    width: { type: 'number', value: 'PX', describe: "the model's own where left out" },
    height: { type: 'number', value: 'PX', describe: "the model's own where left out" },
    image: { type: 'string', value: 'FILE', describe: 'a picture to start from' },
    keep: {
      type: 'string',
      value: 'FILE',
      describe: 'mask of what is to be kept of it: white stays, black is painted',
    },
    strength: { type: 'number', value: 'SHARE', describe: 'how far from the picture, 0 to 1' },
    diffusion: { type: 'string', value: 'DIR', describe: 'an ONNX Stable Diffusion instead of the embedded model' },
    scheduler: { type: 'string', choices: schedulerIds, describe: "the model's own where left out" },
    steps: { type: 'number', describe: "the model's own where left out" },
    guidance: { type: 'number', describe: 'how closely the prompt is followed; 1: no guidance' },
    words: { type: 'boolean', describe: 'list the words the model knows, and make nothing' },
    out: { type: 'string', value: 'DIR', describe: 'folder to write; pictures that are there already are kept' },
    threads: workOptions.threads,
  },
  examples: [
    'sceneshift generate --prompt "a snowy street at dusk" --count 8 --out pictures/',
    'sceneshift generate --diffusion stable-diffusion-onnx/ --prompt "an empty kitchen" --negative people --out pictures/',
  ],
  async run(values) {
    const { prompt: prompts, count, seed, out, negative, width, height } = values;
    if (!Number.isInteger(count) || count < 1) throw expected('a whole number, 1 or more', '--count', count);
    if (!Number.isInteger(seed)) throw expected('a whole number', '--seed', seed);
    const provider = await openDiffusionProvider({
      folder: values.diffusion ? resolve(values.diffusion) : embeddedModel(),
      threads: threadsFrom(values.threads),
      scheduler: values.scheduler,
      steps: values.steps,
      guidance: values.guidance,
    });
    try {
      if (values.words) {
        const words = [...(provider.words ?? [])].sort();
        print(values.json, { words }, () => (words.length ? words.join(' ') : 'The model reads any text'));
        return;
      }
      if (!prompts?.length) throw expected('what is to be seen', '--prompt', undefined);
      if (!out) throw expected('a folder to write', '--out', undefined);
      const edit = await editOf(values);
      const requests = prompts.flatMap((prompt) =>
        Array.from(
          { length: count },
          (_, i): GenerateRequest => ({ prompt, negative, seed: seed + i, width, height, edit }),
        ),
      );
      const images = await makeAll(provider, requests, resolve(out));
      const warnings = [...new Set(images.flatMap(({ warnings: own }) => own))];
      for (const warning of warnings) process.stderr.write(`! ${warning}\n`);
      print(values.json, { out: resolve(out), images }, () => `${images.length} pictures in ${resolve(out)}`);
    } finally {
      await provider.close?.();
    }
  },
});

/** A picture in the folder: how it was made, and the hash of all that decides it. */
type Made = Provenance & { readonly file: string; readonly key: string };

/** One after the other, with a record of how each was made; what the same call made before is not made again. */
async function makeAll(provider: Provider, requests: readonly GenerateRequest[], out: string): Promise<Made[]> {
  const interrupt = onInterrupt('Finishing the picture in hand');
  const progress = createProgress({ title: 'generate', unit: 'pictures', total: requests.length });
  const known = await readMade(out);
  const made: Made[] = [];
  try {
    for (const request of requests) {
      if (interrupt.signal.aborted)
        throw new UserError('Interrupted; the same command goes on from here', { exitCode: 130 });
      const key = keyOf(provider, request);
      const found = known.get(key);
      if (found) made.push(found);
      else {
        const { bytes, format, provenance } = await provider.generate(request);
        const file = `${fileStem(request.prompt)}-${request.seed}-${key.slice(0, 6)}.${format === 'jpeg' ? 'jpg' : format}`;
        await writeAtomic(out, file, bytes);
        made.push({ file, ...provenance, key });
        known.set(key, made[made.length - 1]);
        await writeAtomic(out, recordFile, `${JSON.stringify({ images: [...known.values()] }, null, 2)}\n`);
      }
      progress.update(made.length);
    }
  } finally {
    interrupt.done();
    progress.finish();
  }
  return made;
}

const recordFile = 'generated.json';

function keyOf({ id, identity }: Provider, { edit, ...words }: GenerateRequest): string {
  const bytes = (data: Uint8Array | undefined) => data && createHash('sha256').update(data).digest('hex');
  return hashJson({
    id,
    identity,
    ...words,
    edit: edit && { image: bytes(edit.image.data), keep: bytes(edit.keep?.data), strength: edit.strength },
  });
}

/** What is in the folder already; a record whose picture is gone does not count. */
async function readMade(out: string): Promise<Map<string, Made>> {
  const file = join(out, recordFile);
  if (!existsSync(file)) return new Map();
  const { images = [] } = JSON.parse(await readFile(file, 'utf8')) as { images?: Made[] };
  return new Map(images.filter(({ file: own }) => existsSync(join(out, own))).map((one) => [one.key, one]));
}

/** A prompt as part of a file's name: letters and digits alone, on any system. */
const fileStem = (prompt: string) =>
  prompt
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'picture';

async function editOf(values: {
  readonly image?: string;
  readonly keep?: string;
  readonly strength?: number;
}): Promise<EditRequest | undefined> {
  const { image: path, keep: maskPath, strength } = values;
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
