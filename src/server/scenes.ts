import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { RunRecord } from '../contracts/run-record.ts';
import type { Sample } from '../contracts/sample.ts';
import { tileBlock } from '../contracts/studio/explore.ts';
import type { Mask, Raster } from '../image/raster.ts';
import { joinSquares, shrinkToSquare } from '../image/shrink.ts';
import { recordedConfig } from '../run/folder/index.ts';
import { openInputs } from '../run/inputs.ts';
import { createLru } from '../run/lru.ts';
import { parseScenario } from '../scenarios/name.ts';
import { needsOf } from '../scenarios/registry.ts';
import { notFound, refused } from './errors.ts';
import { type LaneOptions, type Lanes, openLanes } from './lanes.ts';
import { openThumbnails, type Thumbnail as Picture } from './thumbnails.ts';
import { type VariantInit, type VariantResult, type VariantTask, type VariantView, variantJob } from './variant-job.ts';
import type { Workspace } from './workspace.ts';

export interface Scenes {
  readonly samples: readonly Sample[];
  readonly init: VariantInit;
  picture(sample: string, scenario: string, view: VariantView, sizePx: number): Promise<Picture>;
  pixels(sample: string, scenario: string): Promise<{ image: Raster; mask?: Mask }>;
  /** The photographs themselves, small and at once on one sheet: what tiles show while their edits are made. */
  sheet(samples: readonly string[]): Promise<Picture>;
  /**
   * Makes small pictures that will be looked at soon, while nobody waits for another; older requests for such pictures
   * are dropped.
   */
  ahead(tiles: readonly { readonly sample: string; readonly scenario: string }[]): void;
  facts(sample: string): Promise<readonly [number, number, number, number] | undefined>;
  sampleOf(id: string, scenario?: string): Sample;
  /** Refuses an edit that would use pictures outside the folders that the studio was given. */
  checkBorrowing(scenario: string): void;
  /** Pictures are being waited for, or were a moment ago: work that can wait should wait. */
  readonly busy: boolean;
  close(): Promise<void>;
}

/** Kept on disk up to this size: tiles, of which there are many. */
const keptPx = 160;
/** This many pages of tiles are made ahead; older requests have been scrolled past and are dropped. */
const pagesAhead = 3;
const cacheBytes = 64 * 2 ** 20;
/** Work that can wait begins this long after the last picture was asked for. */
const restMs = 1000;
const squareBytes = 32 * 2 ** 20;

/** The photographs behind a run and every variant of them, rendered again on demand. */
export async function openScenes(
  record: RunRecord,
  workspace: Pick<Workspace, 'isInside'>,
  threads: number,
): Promise<Scenes> {
  const config = recordedConfig(record);
  if (!config?.data) throw notFound('The run does not say where its photographs are');
  const inputs = await openInputs(config, { version: '', offline: true, models: 'none', scenarios: record.scenarios });
  const { samples, seed, photographs, backgrounds, generated, painting } = inputs;
  const outside = await filesOutside(workspace, [...samples.flatMap(filesOf), ...(backgrounds ?? [])]);
  const init: VariantInit = { samples, seed, photographs, backgrounds, generated, painting };
  const index = new Map<string, number>();
  for (const [i, { id, scenario }] of samples.entries()) {
    index.set(`${id}\n${scenario ?? ''}`, i);
    if (!index.has(`${id}\n`)) index.set(`${id}\n`, i);
  }
  let lastAsked = Date.now();
  let lanes: Promise<Lanes<VariantTask, VariantResult>> | undefined;
  let opened: Lanes<VariantTask, VariantResult> | undefined;
  const ask = async (task: VariantTask, options: LaneOptions<VariantResult> = {}) => {
    if (!options.canWait) lastAsked = Date.now();
    lanes ??= openLanes(variantJob, init, threads);
    opened = await lanes;
    const result = await opened.run(task, options);
    if (result.problem) throw notFound(result.problem);
    return result;
  };
  const placeOf = (id: string, scenario = ''): number => {
    const place = index.get(`${id}\n${scenario}`) ?? index.get(`${id}\n`);
    if (place === undefined) throw notFound(`The dataset has no sample ${id} any more`);
    const wrong = filesOf(samples[place]).find((file) => outside.has(file));
    if (wrong) throw refused(`${basename(wrong)} is a link out of the folders that the studio was given`);
    return place;
  };
  const checkBorrowing = (scenario: string) => {
    if (!outside.size) return;
    const { scenario: declared, params } = parseScenario(scenario);
    if (needsOf(declared, params).some((need) => need !== 'mask'))
      throw refused(
        `${scenario} takes other pictures, and some of those lie outside the folders that the studio was given`,
      );
  };
  const checkOthers = (place: number, scenario: string) => {
    if (samples[place].scenario === undefined) checkBorrowing(scenario);
  };
  const cached = createLru<Picture>(cacheBytes, ({ bytes }) => bytes.length);
  const squares = createLru<Uint8Array>(squareBytes, ({ length }) => length);

  const kept = openThumbnails({ of: { data: record.data?.hash, init: { ...init, samples: undefined } } });

  interface Early {
    readonly made: Promise<Picture | undefined>;
    readonly stop: AbortController;
  }
  const early = new Map<string, Early>();
  const pages: { readonly sample: string; readonly scenario: string }[][] = [];
  const keyOf = (sample: number, scenario: string, view: VariantView, sizePx: number) =>
    JSON.stringify([sample, scenario, view, sizePx]);

  const render = async (
    sample: number,
    scenario: string,
    view: VariantView,
    sizePx: number,
    options: LaneOptions<VariantResult> = {},
  ): Promise<Picture> => {
    const name = sizePx <= keptPx ? await kept.nameOf(samples[sample], [scenario, view, sizePx]) : undefined;
    const known = name && (await kept.get(name));
    if (known) return known;
    const { bytes, type } = await ask({ kind: 'variant', sample, scenario, view, sizePx }, options);
    const picture = { bytes: bytes as Uint8Array, type: type as string };
    if (name) void kept.put(name, picture);
    return picture;
  };
  /**
   * The picture, where it is being made ahead already; a task that has not begun is taken out of the line, so that the
   * caller makes the picture at once.
   */
  const madeEarly = async (key: string): Promise<Picture | undefined> => {
    const begun = early.get(key);
    begun?.stop.abort();
    return begun?.made;
  };
  const makeEarly = async (id: string, scenario: string): Promise<void> => {
    const sample = placeOf(id, scenario);
    checkOthers(sample, scenario);
    const key = keyOf(sample, scenario, 'picture', keptPx);
    if (early.has(key)) return;
    const stop = new AbortController();
    const made = render(sample, scenario, 'picture', keptPx, { canWait: true, signal: stop.signal })
      .then((picture) => {
        void cached(key, async () => picture);
        return picture;
      })
      .catch(() => undefined)
      .finally(() => early.delete(key));
    early.set(key, { made, stop });
    await made;
  };
  /**
   * Makes pictures one after the other, the latest page first. Errors are ignored: they are told when the picture
   * itself is asked for.
   */
  const workAhead = async () => {
    isWorking = true;
    while (pages.length) {
      const [page] = pages.slice(-1);
      const tile = page.shift();
      if (tile)
        await Promise.resolve(tile)
          .then(({ sample, scenario }) => makeEarly(sample, scenario))
          .catch(() => {});
      else pages.splice(pages.indexOf(page), 1);
    }
    isWorking = false;
  };
  let isWorking = false;

  return {
    samples,
    init,
    async sheet(ids) {
      lastAsked = Date.now();
      const { columns, cellPx: sidePx } = tileBlock;
      // One that is gone, refused or broken says so when its edit is asked for.
      const square = async (id: string) => {
        const { image } = samples[placeOf(id)];
        return squares(image, () => shrinkToSquare(image, { sidePx, maxPixels: photographs.maxPixels }));
      };
      const all = await Promise.all(ids.map((id) => square(id).catch(() => undefined)));
      return { bytes: await joinSquares(all, { sidePx, columns }), type: 'image/jpeg' };
    },
    ahead(tiles) {
      pages.push([...tiles]);
      if (pages.length > pagesAhead) pages.shift();
      if (!isWorking) void workAhead();
    },
    get busy() {
      return (opened?.busy ?? 0) > 0 || Date.now() - lastAsked < restMs;
    },
    sampleOf: (id, scenario) => samples[placeOf(id, scenario)],
    checkBorrowing,
    picture: async (id, scenario, view, sizePx) => {
      const sample = placeOf(id, scenario);
      checkOthers(sample, scenario);
      const key = keyOf(sample, scenario, view, sizePx);
      return cached(key, async () => (await madeEarly(key)) ?? render(sample, scenario, view, sizePx));
    },
    async pixels(id, scenario) {
      const sample = placeOf(id, scenario);
      checkOthers(sample, scenario);
      return (await ask({ kind: 'pixels', sample, scenario })).pixels as { image: Raster; mask?: Mask };
    },
    async facts(id) {
      const place = index.get(`${id}\n`);
      if (place === undefined || filesOf(samples[place]).some((file) => outside.has(file))) return undefined;
      return (await ask({ kind: 'facts', sample: place }, { canWait: true }).catch(() => undefined))?.facts;
    },
    async close() {
      pages.length = 0;
      await (await lanes)?.close();
    },
  };
}

const filesOf = ({ image, mask, protect }: Sample): string[] => [
  image,
  ...[mask, protect].flatMap((source) => (source?.kind === 'file' ? [source.path] : [])),
];

/**
 * Files that lie outside once links are followed. Each folder is resolved once; only files that are links are resolved
 * singly, to save time.
 */
async function filesOutside(workspace: Pick<Workspace, 'isInside'>, files: readonly string[]): Promise<Set<string>> {
  const byFolder = new Map<string, string[]>();
  for (const file of new Set(files)) {
    const folder = dirname(resolve(file));
    const known = byFolder.get(folder);
    if (known) known.push(file);
    else byFolder.set(folder, [file]);
  }
  const outside = new Set<string>();
  const inside = await workspace.isInside();
  for (const [folder, own] of byFolder) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const links = new Set(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name));
    const real = await realpath(folder).catch(() => folder);
    for (const file of own) {
      const target = links.has(basename(file)) ? await realpath(file).catch(() => file) : resolve(real, basename(file));
      if (!inside(target)) outside.add(file);
    }
  }
  return outside;
}
