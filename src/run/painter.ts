import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SampleError } from '../contracts/errors.ts';
import type { PaintOrder } from '../contracts/painting.ts';
import type { Sample } from '../contracts/sample.ts';
import { embeddedModel } from '../generate/diffusion/embedded.ts';
import { type DiffusionEngine, describeEngine, openDiffusionEngine } from '../generate/diffusion/engine.ts';
import { hashDiffusionFolder } from '../generate/diffusion/folder.ts';
import { decodeImage } from '../image/decode.ts';
import { encodeImage } from '../image/encode.ts';
import type { Raster } from '../image/raster.ts';
import { blendPainted } from '../scenarios/blend-painted.ts';
import { writeAtomic } from './atomic.ts';
import { canonicalJson } from './hash.ts';
import type { PaintingIdentity, PaintingOptions } from './painting-options.ts';
import { openSurrogate, type Surrogate } from './surrogate.ts';

export interface Painter {
  paint(order: PaintOrder, sample: Sample, seed: number, watch?: PaintWatch): Promise<Raster>;
}

/** How far one painting is, for a progress display, and a signal to give it up. */
export interface PaintWatch {
  readonly signal?: AbortSignal;
  readonly onStep?: (share: number) => void;
}

/** Part of the cache's keys; to be raised when the same order gives another picture than before. */
const recipe = 2;

const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env.SCENESHIFT_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sceneshift'), 'painted');

/** One engine per thread, whoever asks for it, opened when something is to be painted. */
const engines = new Map<string, Promise<DiffusionEngine>>();
function engineFor({ model, scheduler, steps, guidance, threads = 1 }: PaintingOptions): Promise<DiffusionEngine> {
  const options = { folder: model ?? embeddedModel(), scheduler, steps, guidance, threads };
  const key = canonicalJson(options);
  let engine = engines.get(key);
  if (!engine) {
    engine = openDiffusionEngine(options);
    engines.set(key, engine);
    engine.catch(() => engines.delete(key));
  }
  return engine;
}

export async function paintingIdentity(options: PaintingOptions): Promise<PaintingIdentity> {
  if (options.identity) return options.identity;
  const { model = embeddedModel(), scheduler, steps, guidance, surrogate } = options;
  const { folder, settings } = describeEngine({ folder: model, scheduler, steps, guidance, threads: 1 });
  const hash = await hashDiffusionFolder(model);
  return {
    model: folder.name,
    hash,
    settings: { ...settings, recipe },
    surrogate: surrogate ? { name: surrogate.description.name, identity: surrogate.description.identity } : null,
  };
}

/** Paints what is not in the cache; the same order gives the same picture in any thread. */
export function createPainter(options: PaintingOptions): Painter {
  const folder = options.cacheDir ?? cacheFolder();
  let identity: Promise<PaintingIdentity> | undefined;
  let surrogate: Promise<Surrogate> | undefined;
  const surrogateOf = () => (surrogate ??= openSurrogate(options));

  const search = async (order: PaintOrder, sample: Sample, paintOne: (query: number) => Promise<Raster>) => {
    const { queries } = order.adversarial ?? { queries: 1 };
    const judge = await surrogateOf();
    const painted: Raster[] = [];
    for (let query = 0; query < queries; query++) painted.push(await paintOne(query));
    const beliefs = await judge.believe(
      painted.map((one) => blendPainted(order.image, order.keep, one)),
      sample,
    );
    return painted[beliefs.indexOf(Math.min(...beliefs))];
  };

  const paint: Painter['paint'] = async (order, sample, seed, watch = {}) => {
    identity ??= paintingIdentity(options);
    const key = keyOf(order, await identity, sample.id, seed);
    const file = join(key.slice(0, 2), `${key}.png`);
    if (existsSync(join(folder, file))) {
      // A cache that was cut off mid-write or tampered with costs a new painting, not the sample.
      const found = await decodeImage(join(folder, file)).catch(() => undefined);
      if (found) return found;
    }
    const { adversarial, ...plain } = order;
    const paintOne = async (query: number) => {
      // The first try is the plain order's painting, which other scenarios may have asked for already.
      if (adversarial && query === 0) return paint(plain, sample, seed, watch);
      const engine = await engineFor(options);
      const { image, keep, prompt, strength, lambda, noise } = order;
      const seeds = [seed, sample.id, noise, ...(query ? [query] : [])];
      return (await engine.paint({ image, keep, prompt, strength, lambda, seed: seeds, ...watch })).image;
    };
    const painted = adversarial ? await search(order, sample, paintOne) : await paintOne(0);
    if (painted.width !== order.image.width || painted.height !== order.image.height)
      throw new SampleError('other', 'the painted background has another size than the photograph');
    await writeAtomic(folder, file, await encodeImage(painted, { format: 'png' }));
    return painted;
  };
  return { paint };
}

function keyOf(order: PaintOrder, identity: PaintingIdentity, sample: string, seed: number): string {
  const { image, keep, ...wishes } = order;
  // The surrogate decides only what is searched for.
  const { surrogate, ...engine } = identity;
  const facts = { ...engine, ...wishes, sample, seed, size: [image.width, image.height] };
  return createHash('sha256')
    .update(canonicalJson(order.adversarial ? { ...facts, surrogate } : facts))
    .update(image.data)
    .update(keep.data)
    .digest('hex');
}
