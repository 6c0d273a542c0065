import { SampleError } from '../contracts/errors.ts';
import { type ObjectChange, objectChange } from '../generate/quality/object-kept.ts';
import { decodeImage } from '../image/decode.ts';
import type { Mask, Raster } from '../image/raster.ts';
import { cover } from '../scenarios/cover.ts';

/** A made picture and where the object of its photograph is. */
export interface MadeAroundObject {
  readonly id: string;
  readonly file: string;
  source(): Promise<{ readonly image: Raster; readonly mask?: Mask }>;
}

export interface MeasuredObject extends ObjectChange {
  readonly id: string;
}

/** Every picture beside its photograph, brought to its size as `generated-background` does; what cannot be read is left out. */
export async function measureObjects(
  pictures: readonly MadeAroundObject[],
  onProgress?: (done: number) => void,
): Promise<MeasuredObject[]> {
  const measured: MeasuredObject[] = [];
  for (const [i, picture] of pictures.entries()) {
    const change = await changeOf(picture).catch((error: unknown) => {
      if (error instanceof SampleError) return null;
      throw error;
    });
    if (change) measured.push({ id: picture.id, ...change });
    onProgress?.(i + 1);
  }
  return measured;
}

async function changeOf({ file, source }: MadeAroundObject): Promise<ObjectChange | null> {
  const { image, mask } = await source();
  if (!mask) return null;
  const made = await decodeImage(file);
  const { width, height } = image;
  const fits = made.width === width && made.height === height;
  return objectChange(fits ? made : cover(made, width, height), image, mask);
}
