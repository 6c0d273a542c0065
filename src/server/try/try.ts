import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import { SampleError } from '../../contracts/errors.ts';
import type { ModelConfig } from '../../contracts/model-config.ts';
import type { Sample } from '../../contracts/sample.ts';
import {
  editHeads,
  type TryAnswer,
  type TryEdit,
  type TryMask,
  type TryOptions,
  type TryPainting,
  type TryPicture,
  type TrySamples,
  type TrySubject,
  tryEditSchema,
  tryMaskSchema,
  trySubjectSchema,
} from '../../contracts/studio/try.ts';
import { loadMask } from '../../dataset/masks/load.ts';
import { embeddedModel } from '../../generate/diffusion/embedded.ts';
import { describeEngine } from '../../generate/diffusion/engine.ts';
import { decodeImage } from '../../image/decode.ts';
import { areaShare } from '../../image/mask-ops.ts';
import type { Mask, Raster } from '../../image/raster.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import { createLru } from '../../run/lru.ts';
import { families } from '../../scenarios/define.ts';
import { parseScenario } from '../../scenarios/name.ts';
import { findScenario, needsOf } from '../../scenarios/registry.ts';
import { notFound } from '../errors.ts';
import type { OpenRuns } from '../open-runs.ts';
import { scenarioFields } from '../scenario-fields.ts';
import type { Workspace } from '../workspace.ts';
import { createPlaces, type PlaceOptions, type TryPlace } from './places.ts';
import { createUploads } from './uploads.ts';

export interface TryGiven {
  readonly models: readonly ModelConfig[];
  readonly spareModels: readonly ModelConfig[];
  readonly salient?: PlaceOptions['salient'];
}

interface Made {
  readonly image: Raster;
  readonly mask?: Mask;
  readonly scenario: string;
  readonly workedMs?: number;
}

const madeBytes = 64 * 2 ** 20;
const samplesAtOnce = 120;

/** One picture, edited while someone looks: uploads, masks, edits and the models' answers to them. */
export function tryRoutes(workspace: Workspace, runs: OpenRuns, given: TryGiven) {
  const places = createPlaces({ workspace, runs, ...given });
  const uploads = createUploads();
  const made = createLru<Made>(madeBytes, ({ image, mask }) => image.data.length + (mask?.data.length ?? 0));

  const subjectOf = (
    place: TryPlace,
    { sample: id, picture, mask, label }: TrySubject & { label?: string },
  ): Sample => {
    const own: Sample =
      id === undefined
        ? { id: `try/${picture}`, image: uploads.path(picture as string), ...(label && { label }) }
        : withoutScenario(place.scenes.sampleOf(id));
    return mask === undefined ? own : { ...own, mask: { kind: 'file', path: uploads.path(mask) } };
  };
  const opened = async (asked: TrySubject & { label?: string }) => {
    const place = await places.open(asked.place);
    return { place, sample: subjectOf(place, asked) };
  };

  const makeEdit = async (asked: TryEdit, how: { signal?: AbortSignal; onShare?: (share: number) => void }) => {
    const { scenario, params, name } = parseScenario(asked.scenario);
    const { place, sample } = await opened(asked);
    const painted = needsOf(scenario, params).includes('generator');
    // A label decides which classes' photographs may serve as background.
    const key = JSON.stringify({ ...asked, scenario: name });
    return made(key, async () => {
      if (painted && !how.onShare) throw notFound(`${name} has to be painted first`);
      place.scenes.checkBorrowing(name);
      const task = { kind: 'edit', sample, mode: asked.decode, scenario: name, longSidePx: asked.size } as const;
      const onPart = ({ share }: { share?: number }) => share !== undefined && how.onShare?.(share);
      const { image, mask, problem, workedMs } = await place.edit(task, { signal: how.signal, slow: painted, onPart });
      if (!image) throw new SampleError('other', problem ?? 'the picture could not be made');
      return { image, scenario: name, workedMs, ...(mask && { mask }) };
    });
  };

  const addMask = async (png: Uint8Array, place: TryPlace, { image: path }: Sample, decode: TrySubject['decode']) => {
    const { photographs } = place.scenes.init;
    const mode = decode ?? photographs.mode;
    const { width, height } = await decodeImage(path, { ...photographs, mode });
    let found: Omit<TryMask, 'id'> = { areaShare: 0, notes: [] };
    const id = await uploads.add(png, async (file) => {
      const { mask, notes } = await loadMask({ kind: 'file', path: file }, { width, height, path }, { mode });
      found = { areaShare: areaShare(mask), notes: notes.map(({ message }) => message) };
    });
    return { id, ...found } satisfies TryMask;
  };

  const makeMask = async (
    asked: TrySubject & { box?: readonly [number, number, number, number] },
    signal: AbortSignal,
  ) => {
    const { place, sample } = await opened(asked);
    const task = asked.box ? ({ kind: 'box', box: asked.box } as const) : ({ kind: 'salient' } as const);
    const result = await place.edit({ ...task, sample, mode: asked.decode }, { signal, slow: true });
    if (!result.made) throw new SampleError('other', result.problem ?? 'no mask could be made');
    return addMask(result.made.png, place, sample, asked.decode);
  };

  const routes = new Hono()
    .get('/try', async (c) => {
      const known = await places.list();
      const wanted = c.req.query('place') ?? (await firstThatOpens(known.map(({ id }) => id)));
      const place = wanted === null ? undefined : await places.open(wanted);
      return c.json({
        places: known,
        place: wanted,
        dataset: place ? await places.datasetId(place.data) : null,
        canAnnotate: place !== undefined && workspace.isGiven(place.data),
        models: (await place?.models()) ?? [],
        classes: (place?.classes ?? []).map((label) => ({ label, name: shownLabel(label) })),
        samples: place?.scenes.samples.length ?? 0,
        families,
        scenarios: scenarioFields().map((field) => ({ ...field, needs: findScenario(field.id)?.needs ?? [] })),
        salient: given.salient !== undefined,
        painting: paintingOf(place),
      } satisfies TryOptions);
    })
    .get('/try/samples', async (c) => {
      const { scenes } = await places.open(c.req.query('place') ?? '');
      const find = (c.req.query('find') ?? '').toLowerCase();
      const found = scenes.samples.filter(
        ({ id, label, scenario }) =>
          !scenario && `${id} ${label ?? ''} ${shownLabel(label ?? '')}`.toLowerCase().includes(find),
      );
      const samples = classByClass(found)
        .slice(0, samplesAtOnce)
        .map(({ id, label, mask }) => ({ id, label: label === undefined ? null : shownLabel(label), hasMask: !!mask }));
      return c.json({ total: found.length, samples } satisfies TrySamples);
    })
    .get('/try/thumbnail', async (c) => {
      const { scenes } = await places.open(c.req.query('place') ?? '');
      const { bytes, type } = await scenes.picture(c.req.query('sample') ?? '', 'original', 'picture', 160);
      c.header('content-type', type);
      c.header('cache-control', 'private, max-age=600');
      return c.body(new Uint8Array(bytes));
    })
    .post('/try/pictures', async (c) =>
      c.json((await uploads.addPicture(new Uint8Array(await c.req.arrayBuffer()))) satisfies TryPicture),
    )
    .post('/try/masks', async (c) => {
      const asked = trySubjectSchema.parse(c.req.query());
      const { place, sample } = await opened(asked);
      return c.json(await addMask(new Uint8Array(await c.req.arrayBuffer()), place, sample, asked.decode));
    })
    .post('/try/masks/box', async (c) => {
      const asked = tryMaskSchema.parse(await c.req.json());
      if (!asked.box) throw notFound('A box is needed: left, top, width, height');
      return c.json(await makeMask(asked, c.req.raw.signal));
    })
    .post('/try/masks/salient', async (c) => {
      const { box: _, ...asked } = tryMaskSchema.parse(await c.req.json());
      return c.json(await makeMask(asked, c.req.raw.signal));
    })
    .get('/try/edit', async (c) => {
      const asked = tryEditSchema.parse(c.req.query());
      const { image, mask, scenario, workedMs } = await makeEdit(asked, { signal: c.req.raw.signal });
      c.header('content-type', 'application/octet-stream');
      c.header(editHeads.width, String(image.width));
      c.header(editHeads.height, String(image.height));
      c.header(editHeads.scenario, encodeURIComponent(scenario));
      c.header(editHeads.mask, mask ? '1' : '0');
      // A browser's tools show it: how much of the wait was the edit itself.
      if (workedMs !== undefined) c.header('server-timing', `edit;dur=${workedMs.toFixed(1)}`);
      void warm(asked);
      return c.body(joined(image, mask));
    })
    .get('/try/answers', async (c) => {
      const asked = tryEditSchema.parse(c.req.query());
      const { signal } = c.req.raw;
      const { image, scenario } = await makeEdit(asked, { signal });
      const { place, sample } = await opened(asked);
      c.header('content-type', 'application/x-ndjson');
      return stream(c, async (out) => {
        const onAnswer = (answer: TryAnswer) => void out.write(`${JSON.stringify(answer)}\n`);
        const question = { sample: sample.id, scenario, ...(sample.label !== undefined && { label: sample.label }) };
        await place.ask({ image, question }, sample, { signal, onAnswer }).catch((error: Error) => {
          if (!signal.aborted) onAnswer({ model: '', problem: error.message });
        });
      });
    })
    .get('/try/paint', async (c) => {
      const asked = tryEditSchema.parse(c.req.query());
      const { signal } = c.req.raw;
      c.header('content-type', 'application/x-ndjson');
      return stream(c, async (out) => {
        const tell = (line: TryPainting) => void out.write(`${JSON.stringify(line)}\n`);
        tell({ share: 0 });
        try {
          const { scenario } = await makeEdit(asked, { signal, onShare: (share) => tell({ share }) });
          tell({ done: true, scenario });
        } catch (error) {
          if (!signal.aborted) tell({ error: (error as Error).message });
        }
      });
    });

  /** A dataset that was moved away does not stand before the others; where none opens, the first says why. */
  const firstThatOpens = async (ids: readonly string[]): Promise<string | null> => {
    for (const id of ids) {
      const place = await places.open(id).catch(() => undefined);
      if (place) return id;
    }
    return ids[0] ?? null;
  };

  const warmed = new Set<string>();
  /** Fills the object's old place ahead, while the first picture is looked at: edits that move the object need it. */
  const warm = async (asked: TryEdit): Promise<void> => {
    const { scenario: _, label: __, ...subject } = asked;
    const key = JSON.stringify(subject);
    if (warmed.has(key)) return;
    warmed.add(key);
    try {
      const { place, sample } = await opened(asked);
      await place.edit({ kind: 'warm', sample, mode: asked.decode, longSidePx: asked.size }, { canWait: true });
    } catch {
      warmed.delete(key);
    }
  };

  return {
    routes,
    async close() {
      await places.close();
      await uploads.close();
    },
  };
}

/** The first of every class, then the second of each: a list that is cut off shows them all. */
function classByClass(samples: readonly Sample[]): Sample[] {
  const seen = new Map<string | undefined, number>();
  const turns = samples.map(({ label }) => {
    seen.set(label, (seen.get(label) ?? 0) + 1);
    return seen.get(label) as number;
  });
  return samples
    .map((sample, i) => ({ sample, turn: turns[i] }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ sample }) => sample);
}

/** In Try every picture is a photograph to be edited, whatever scenario it may show already. */
function withoutScenario({ scenario: _, ...sample }: Sample): Sample {
  return sample;
}

function joined(image: Raster, mask: Mask | undefined): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(image.data.length + (mask?.data.length ?? 0));
  body.set(image.data);
  if (mask) body.set(mask.data, image.data.length);
  return body;
}

function paintingOf(place: TryPlace | undefined): TryOptions['painting'] {
  const { model, scheduler, steps, guidance } = place?.scenes.init.painting ?? {};
  try {
    const { folder } = describeEngine({ folder: model ?? embeddedModel(), scheduler, steps, guidance, threads: 1 });
    return { words: folder.words ?? null };
  } catch {
    return null;
  }
}
