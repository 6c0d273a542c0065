import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expected, SampleError, UserError } from '../contracts/errors.ts';
import type { Dataset, Sample } from '../contracts/sample.ts';
import { localPlace } from '../storage/local-place.ts';
import { isS3 } from '../storage/s3-url.ts';
import type { DatasetPlace, Reader, ReaderResult, ReadOptions } from './define.ts';
import { list } from './files.ts';
import { relabel } from './label-from.ts';
import { findLost } from './lost-files.ts';
import { settleEncodings } from './mask-encodings.ts';
import { allReaders } from './readers/index.ts';

export interface ReadDatasetOptions extends ReadOptions {
  /** A reader's id; found by itself where left out. */
  readonly layout?: string;
  /** What the option for the layout is called where the user can type it. */
  readonly layoutOption?: string;
}

/** Ids of all layouts, plugins' included. */
export const layouts = (): readonly string[] => allReaders().map(({ id }) => id);

/** Reads what the user has: finds the layout (or takes the named one), the images, their labels and where their masks are. */
export async function readDataset(
  path: string,
  { layout, layoutOption = '--layout', ...given }: ReadDatasetOptions = {},
): Promise<Dataset> {
  const place = await lookAtPlace(await localPlace(path, '--data'));
  const options = given.masks === undefined ? given : { ...given, masks: await localPlace(given.masks, '--masks') };
  const reader = layout === undefined ? await detect(place, path, layoutOption) : named(layout, layoutOption);
  checkMasksOption(reader, options);
  const { samples: found, notes = [], problems: unread = [] } = await readWith(reader, place, options);
  const problems = [...unread, ...(place.isFile || reader.listsFiles ? [] : await findLost(place.path))];
  const relabelled = options.labelFrom === undefined ? undefined : relabel(found, options.labelFrom);
  const unique = distinct(relabelled?.samples ?? found);
  const { samples, notes: encodingNotes } = await settleEncodings(unique.samples);
  if (!samples.length && !problems.length)
    throw new UserError(`No images found in ${path} read as ${reader.id} (${reader.looksLike})`);
  return {
    path: isS3(path) ? path : place.path,
    layout: reader.id,
    samples,
    classes: [...new Set(samples.flatMap(({ label }) => (label === undefined ? [] : [label])))].sort(),
    notes: [...notes, ...(relabelled?.notes ?? []), ...unique.notes, ...encodingNotes],
    problems,
  };
}

async function lookAtPlace(path: string): Promise<DatasetPlace> {
  const absolute = resolve(path);
  const found = await stat(absolute).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw expected('an existing folder or manifest', 'the dataset', path);
    throw new UserError(
      `The dataset ${path} cannot be read (${cause.code === 'EACCES' ? 'permission denied' : cause.code})`,
    );
  });
  const isFile = found.isFile();
  if (!isFile && !found.isDirectory()) throw expected('a folder or a file', 'the dataset', path, 'it is neither');
  return { path: absolute, isFile, listing: isFile ? { files: [], folders: [] } : await list(absolute) };
}

/** An error that stops the whole reading, and not one sample alone, is told to the user in one line. */
async function readWith(reader: Reader, place: DatasetPlace, options: ReadOptions): Promise<ReaderResult> {
  try {
    return await reader.read(place, options);
  } catch (error) {
    if (error instanceof SampleError) throw new UserError(error.message);
    throw error;
  }
}

function checkMasksOption({ id, takesMasks }: Reader, { masks }: ReadOptions): void {
  if (masks === undefined || takesMasks) return;
  const taking = allReaders()
    .filter((reader) => reader.takesMasks)
    .map((reader) => reader.id);
  throw new UserError(
    `--masks ${masks} is not used by the layout ${id}, which says itself where its masks are; it is for ${taking.join(' and ')}`,
  );
}

function named(layout: string, option: string): Reader {
  const reader = allReaders().find(({ id }) => id === layout);
  if (!reader) throw expected(`one of ${layouts().join(', ')}`, option, layout);
  return reader;
}

/** A layout that cannot read the file in question does not fit: confidence 0. */
async function confidence(reader: Reader, place: DatasetPlace): Promise<number> {
  try {
    return await reader.detect(place);
  } catch (error) {
    if (error instanceof SampleError) return 0;
    throw error;
  }
}

async function detect(place: DatasetPlace, path: string, option: string): Promise<Reader> {
  const scored: { reader: Reader; score: number }[] = [];
  for (const reader of allReaders()) scored.push({ reader, score: await confidence(reader, place) });
  const best = Math.max(...scored.map(({ score }) => score));
  const winners = scored.filter(({ score }) => score === best);
  if (best === 0)
    throw new UserError(
      `No dataset layout fits ${path}; looked for:\n${allReaders()
        .map(({ id, looksLike }) => `  ${id.padEnd(13)} ${looksLike}`)
        .join('\n')}`,
    );
  const explicit = winners.find(({ reader }) => reader.explicit);
  if (explicit) return explicit.reader;
  if (winners.length > 1)
    throw new UserError(
      `${path} looks like ${winners.map(({ reader }) => reader.id).join(' and like ')}; say which with ${option}`,
    );
  return winners[0].reader;
}

/** Rows are paired by (id, scenario): the same line twice counts once, another object of the same picture gets a number. */
function distinct(samples: readonly Sample[]): { samples: Sample[]; notes: string[] } {
  const seen = new Map<string, Sample[]>();
  let repeated = 0;
  let numbered = 0;
  const kept = samples.flatMap((sample) => {
    const key = `${sample.id}\u0000${sample.scenario ?? ''}`;
    const earlier = seen.get(key);
    if (!earlier) {
      seen.set(key, [sample]);
      return [sample];
    }
    if (earlier.some((other) => JSON.stringify(other) === JSON.stringify(sample))) {
      repeated++;
      return [];
    }
    earlier.push(sample);
    numbered++;
    return [{ ...sample, id: `${sample.id}#${earlier.length}`, group: sample.group ?? sample.id }];
  });
  const notes: string[] = [];
  if (repeated) notes.push(`${repeated} ${repeated === 1 ? 'entry is' : 'entries are'} listed twice and counted once`);
  if (numbered)
    notes.push(
      `${numbered} ${numbered === 1 ? 'entry names' : 'entries name'} an image listed before, with another object; numbered #2, #3, …`,
    );
  return { samples: kept, notes };
}
