import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { expected, UserError } from '../../contracts/errors.ts';
import type { Dataset } from '../../contracts/sample.ts';
import { earlierRecord } from './record.ts';
import type { RunStore } from './store.ts';

/** Refuses an output folder that is not named, or that lies inside the dataset's folder. */
export async function checkOut(out: string, dataset: Dataset): Promise<void> {
  if (out.trim() === '') throw expected('a folder to write', '--out', out);
  if (!(await stat(dataset.path).catch(() => undefined))?.isDirectory()) return;
  const [inner, outer] = [await realFolder(out), await realFolder(dataset.path)];
  const way = relative(outer, inner);
  if (way.startsWith('..') || isAbsolute(way)) return;
  throw expected(
    'a folder outside the dataset',
    '--out',
    out,
    `what is written into ${dataset.path} would become part of it`,
  );
}

/** The real path of a folder that may not exist yet. */
async function realFolder(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined);
  if (found) return found;
  const parent = dirname(resolve(path));
  return parent === resolve(path) ? parent : join(await realFolder(parent), relative(parent, resolve(path)));
}

/** Samples by id, each with the hashes of what it may be: a picture that shows a scenario is a planned sample of its own. */
export type KnownSamples = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * A run folder belongs to one dataset, because rows of two in one table could not be told apart. More samples,
 * scenarios and models of the same data may be added, also where the data has moved; changed pictures are asked about
 * again.
 */
export async function checkSameData(
  run: string,
  dataset: Dataset,
  { store, samples }: { store: RunStore; samples: KnownSamples },
): Promise<void> {
  const before = (await earlierRecord(run))?.data;
  if (!before || before.layout === 'imported') return;
  const refuse = (what: string) =>
    new UserError(`${run} holds answers about other data: ${what}; choose another --out, or delete the folder`);
  const { classes = dataset.classes } = before;
  const gone = classes.filter((label) => !dataset.classes.includes(label));
  const added = dataset.classes.filter((label) => !classes.includes(label));
  if (gone.length || added.length)
    throw refuse(
      [
        gone.length ? `class${gone.length > 1 ? 'es' : ''} ${some(gone)} not in ${dataset.path}` : '',
        added.length ? `class${added.length > 1 ? 'es' : ''} ${some(added)} not in the run` : '',
      ]
        .filter(Boolean)
        .join(', '),
    );
  if (await isSameFolder(before.path, dataset.path)) return;
  let [same, others] = [0, 0];
  for (const table of ['predictions', 'segmentation'] as const)
    await store.forEachKey(table, (_, sample, sampleHash) => {
      if (samples.get(sample)?.has(sampleHash)) same++;
      else others++;
    });
  if (others > same) throw refuse(`it was ${before.path}, and the pictures of ${dataset.path} are others`);
}

const some = (names: readonly string[]) =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;

async function isSameFolder(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([a, b].map((path) => realpath(path).catch(() => resolve(path))));
  return first === second;
}
