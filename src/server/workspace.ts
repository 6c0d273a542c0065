import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { isRunFolder, readRunRecord, recordedConfig } from '../run/folder/index.ts';
import { mirroredAt } from '../storage/mirror.ts';
import { isS3 } from '../storage/s3-url.ts';
import { notFound, refused } from './errors.ts';

export interface KnownPlace {
  readonly id: string;
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** The runs and datasets that the studio was given; it serves nothing else. */
export interface Workspace {
  /** Where runs that are started here go. */
  readonly runsFolder: string;
  runs(): Promise<KnownPlace[]>;
  run(id: string): Promise<KnownPlace>;
  /** Those given, and those the runs were made from. */
  datasets(): Promise<KnownPlace[]>;
  dataset(id: string): Promise<KnownPlace>;
  /** Named by the user, and not by a run alone: masks may be written for it. */
  isGiven(path: string): boolean;
  /** Folder of the masks drawn for a dataset. */
  masksFolder(dataset: string): string;
  /** Review folders given, and those of the runs. */
  reviews(): Promise<KnownPlace[]>;
  review(id: string): Promise<KnownPlace>;
  /** The file, if it lies below what was given once every link is followed; refuses otherwise. */
  allowed(file: string): Promise<string>;
  /** The same for many files whose links have been followed already. */
  isInside(): Promise<(realFile: string) => boolean>;
}

export interface WorkspaceOptions {
  readonly paths: readonly string[];
  readonly runsFolder: string;
  /** Where masks that are drawn here go; beside the dataset where left out. */
  readonly masksTo?: string;
  /** Folder of masks that the user named for the dataset; read from, and nothing else. */
  readonly masks?: string;
}

export async function openWorkspace({ paths, runsFolder, masksTo, masks }: WorkspaceOptions): Promise<Workspace> {
  const given = {
    runs: [] as string[],
    folders: [resolve(runsFolder)],
    datasets: [] as string[],
    reviews: [] as string[],
  };
  for (const path of paths.map((path) => resolve(path))) {
    const found = await stat(path).catch(() => undefined);
    if (!found) throw new UserError(`There is no ${path}; give run folders, folders of runs, datasets or reviews`);
    if (!found.isDirectory()) given.datasets.push(path);
    else if (await isRunFolder(path)) given.runs.push(path);
    else if (await isReview(path)) given.reviews.push(path);
    else if ((await runsBelow(path)).length) given.folders.push(path);
    else given.datasets.push(path);
  }
  if (masksTo !== undefined && given.datasets.length !== 1)
    throw new UserError(`--masks-to is for one dataset; here are ${given.datasets.length}`);
  const masksFolder = (dataset: string) => (masksTo === undefined ? besideDataset(dataset) : resolve(masksTo));
  const runId = createNames();
  const datasetId = createNames();
  const reviewId = createNames();

  const runs = async () => {
    const below = await Promise.all(given.folders.map(runsBelow));
    const folders = [...new Set([...given.runs, ...below.flat()])];
    return folders.map((path) => ({ id: runId(path), name: shown(path), path }));
  };
  const datasets = async () => {
    const records = await Promise.all((await runs()).map(({ path }) => readRunRecord(path).catch(() => undefined)));
    const ofRuns = records.flatMap((record) => (record?.data?.path ? [record.data.path] : []));
    const made = given.datasets.map((path) => join(masksFolder(path), madeManifest)).filter((path) => existsSync(path));
    return [...new Set([...given.datasets, ...made, ...ofRuns])].map((path) => ({
      id: datasetId(path),
      name: shown(path),
      path,
    }));
  };
  const roots = async () => {
    const records = await Promise.all((await runs()).map(({ path }) => readRunRecord(path).catch(() => undefined)));
    const named = records.flatMap((record) => {
      const config = record && recordedConfig(record);
      return [config?.masks, config?.backgrounds, config?.generated];
    });
    named.push(masks);
    const all = [...(await runs()), ...(await datasets())].map(({ path }) => path);
    const folders = [...all, ...paths.map((path) => resolve(path)), ...named.filter((path) => path !== undefined)];
    return Promise.all(
      [...new Set(folders)].map(async (place) => {
        const path = isS3(place) ? mirroredAt(place) : place;
        const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
        const folder = isFolder ? path : dirname(path);
        return realpath(folder).catch(() => folder);
      }),
    );
  };
  const isInside = async () => {
    const known = await roots();
    return (real: string) => known.some((root) => isBelow(root, real));
  };
  const reviews = async () => {
    const ofRuns = (await runs()).map(({ path }) => join(path, 'review'));
    const inside = await isInside();
    const found: KnownPlace[] = [];
    for (const path of new Set([...given.reviews, ...ofRuns])) {
      const queue = await realpath(join(path, 'queue.json')).catch(() => undefined);
      if (queue !== undefined && inside(queue)) found.push({ id: reviewId(path), name: shown(path), path });
    }
    return found;
  };
  return {
    runsFolder: resolve(runsFolder),
    runs,
    run: async (id) => find(await runs(), id, 'run'),
    datasets,
    dataset: async (id) => find(await datasets(), id, 'dataset'),
    isGiven: (path) => given.datasets.includes(path),
    masksFolder,
    reviews,
    review: async (id) => find(await reviews(), id, 'review'),
    allowed: async (file) => {
      const real = await realpath(file).catch(() => undefined);
      if (real === undefined) throw notFound(`There is no ${basename(file)}`);
      if (!(await isInside())(real))
        throw refused(
          `${basename(file)} lies outside the folders that the studio was given; name its folder on the command line`,
        );
      return real;
    },
    isInside,
  };
}

/** What `photos/` becomes with the masks drawn for it: a dataset of its own, `photos-masks/manifest.jsonl`. */
export const madeManifest = 'manifest.jsonl';
const besideDataset = (dataset: string) => join(dirname(dataset), `${parse(dataset).name}-masks`);

export function isBelow(root: string, file: string): boolean {
  const path = relative(root, file);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

const isReview = (folder: string): Promise<boolean> =>
  stat(join(folder, 'queue.json')).then(
    (found) => found.isFile(),
    () => false,
  );

/** Run folders in a folder, or one level deeper (`demo/run`, `demo/heads`). */
async function runsBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const child of await subfolders(folder)) {
    if (await isRunFolder(child)) found.push(child);
    else for (const inner of await subfolders(child)) if (await isRunFolder(inner)) found.push(inner);
  }
  return found;
}

const subfolders = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => join(folder, entry.name))
    .sort();
};

/** Words for addresses: the folder's name, with a part of the path's hash where two share it. */
function createNames(): (path: string) => string {
  const names = new Map<string, string>();
  return (path) => {
    const known = names.get(path);
    if (known) return known;
    const word =
      `${basename(dirname(path))}-${basename(path)}`.replaceAll(/[^\w.-]+/g, '-').replace(/^[-.]+/, '') || 'run';
    const taken = new Set(names.values());
    const name = taken.has(word) ? `${word}-${createHash('sha256').update(path).digest('hex').slice(0, 6)}` : word;
    names.set(path, name);
    return name;
  };
}

function find(places: readonly KnownPlace[], id: string, kind: string): KnownPlace {
  const place = places.find((candidate) => candidate.id === id);
  if (!place) throw notFound(`There is no ${kind} '${id}' here`);
  return place;
}

/** Relative to where the command was typed, where that is shorter. */
export function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near && near.length < path.length ? near : path;
}
