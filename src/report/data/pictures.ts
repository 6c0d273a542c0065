import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pictures, picturesSchema } from '../../contracts/pictures.ts';
import { readDocument } from '../../run/folder/index.ts';

type IndexedSample = Pictures['samples'][number];

export interface LoadedPictures {
  readonly samples: readonly (Omit<IndexedSample, 'pictures'> & {
    readonly pictures: readonly (IndexedSample['pictures'][number] & { readonly src: string })[];
  })[];
  /** Samples left out so that the report stays small. */
  readonly leftOut: number;
}

/** Bytes of pictures a report may hold; as text they grow by a third, and the whole stays below 6 MB. */
const budgetBytes = 3_000_000;

/** The run's `pictures/`, as addresses that hold the picture itself. */
export async function loadPictures(run: string): Promise<LoadedPictures> {
  const folder = join(run, 'pictures');
  const index = await readDocument(run, 'pictures/index.json', picturesSchema, {
    remedy: 'delete the pictures folder, and the same sceneshift run makes it again',
  });
  if (!index) return { samples: [], leftOut: 0 };
  const samples: LoadedPictures['samples'][number][] = [];
  let bytes = 0;
  for (const sample of index.samples) {
    const files = await Promise.all(
      sample.pictures.map(({ file }) => readFile(join(folder, file)).catch(() => undefined)),
    );
    const size = files.reduce((sum, file) => sum + (file?.length ?? 0), 0);
    if (bytes + size > budgetBytes) continue;
    bytes += size;
    const pictures = sample.pictures.flatMap((picture, i) => {
      const file = files[i];
      return file ? [{ ...picture, src: `data:image/webp;base64,${file.toString('base64')}` }] : [];
    });
    samples.push({ ...sample, pictures });
  }
  return { samples, leftOut: index.samples.length - samples.length };
}
