import { createHash } from 'node:crypto';
import { z } from 'zod';
import { background, doubt, type ObjectPlane } from '../../contracts/annotate/plane.ts';
import { decodePng } from '../../dataset/masks/png.ts';
import { encodeMask } from '../../image/encode.ts';
import { boundingBox } from '../../image/mask-ops.ts';
import { createMask, type Mask } from '../../image/raster.ts';

/** A drawn mask on disk: LabelMe's file of its objects, with what LabelMe has no place for under `sceneshift`. */
const drawnFileSchema = z.looseObject({
  shapes: z.array(
    z.looseObject({
      label: z.string(),
      points: z.array(z.tuple([z.number(), z.number()])),
      mask: z.string(),
    }),
  ),
  imageWidth: z.number().int().positive(),
  imageHeight: z.number().int().positive(),
  sceneshift: z.object({
    sample: z.string(),
    savedAt: z.string(),
    /** Labels of all objects, also of those nothing is drawn of yet. */
    objects: z.array(z.string()).min(1),
    /** Where doubt was painted: a small PNG and its corner. */
    doubt: z.object({ x: z.number().int(), y: z.number().int(), mask: z.string() }).nullable(),
    /** Hash of the PNG beside it, and of the one that was there before: tells a save cut short from another's change. */
    png: z.string(),
    pngBefore: z.string().nullable(),
  }),
});
export type DrawnFile = z.infer<typeof drawnFileSchema>;

/** Undefined where it is another program's. */
export function parseDrawnFile(text: string): DrawnFile | undefined {
  try {
    return drawnFileSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const hashOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 24);

/** Which objects are the sample's: those of its label, or all where none has it. */
function ownObjects(objects: readonly string[], label: string | undefined, counts: (object: number) => boolean) {
  const drawn = objects.map((_, i) => i + 1).filter(counts);
  const own = drawn.filter((object) => objects[object - 1] === label);
  return new Set(own.length ? own : drawn);
}

/** The sample's mask: its objects, and doubt as a trimap's border. */
export function sampleMask(plane: ObjectPlane, objects: readonly string[], label: string | undefined): Mask {
  const seen = new Uint8Array(256);
  for (let i = 0; i < plane.data.length; i++) seen[plane.data[i]] = 1;
  const own = ownObjects(objects, label, (object) => seen[object] === 1);
  const mask = createMask(plane.width, plane.height);
  const ignore = seen[doubt] ? new Uint8Array(plane.data.length) : undefined;
  for (let i = 0; i < plane.data.length; i++) {
    const value = plane.data[i];
    if (value === doubt) {
      mask.data[i] = 255;
      if (ignore) ignore[i] = 255;
    } else if (own.has(value)) mask.data[i] = 255;
  }
  return ignore ? { ...mask, ignore } : mask;
}

/** White on the object, black on the background, a middle grey where there is doubt. */
export function encodeSampleMask(mask: Mask): Promise<Uint8Array> {
  const { ignore } = mask;
  const data = ignore ? mask.data.map((value, i) => (ignore[i] ? 128 : value)) : mask.data;
  return encodeMask(createMask(mask.width, mask.height, data));
}

/** The objects as LabelMe (5.3 and later) keeps masks: small PNGs of 0 and 255, each between two corners. */
export async function toShapes(plane: ObjectPlane, objects: readonly string[]) {
  const shapes: DrawnFile['shapes'] = [];
  for (const [i, label] of objects.entries()) {
    const part = await cutOut(plane, i + 1);
    if (!part) continue;
    const { x, y, width, height, mask } = part;
    shapes.push({
      label,
      points: [
        [x, y],
        [x + width - 1, y + height - 1],
      ],
      group_id: i + 1,
      description: '',
      shape_type: 'mask',
      flags: {},
      mask,
    });
  }
  const painted = await cutOut(plane, doubt);
  return { shapes, doubt: painted ? { x: painted.x, y: painted.y, mask: painted.mask } : null };
}

async function cutOut(plane: ObjectPlane, value: number) {
  const { width, height } = plane;
  const whole = createMask(
    width,
    height,
    plane.data.map((pixel) => (pixel === value ? 255 : 0)),
  );
  const box = boundingBox(whole);
  if (box.width === 0) return undefined;
  const part = createMask(box.width, box.height);
  for (let row = 0; row < box.height; row++) {
    const from = (box.y + row) * width + box.x;
    part.data.set(whole.data.subarray(from, from + box.width), row * box.width);
  }
  return { ...box, mask: Buffer.from(await encodeMask(part)).toString('base64') };
}

/** The plane that a drawn file holds. Throws a plain Error where it is damaged. */
export function planeOf({ shapes, imageWidth, imageHeight, sceneshift }: DrawnFile): ObjectPlane {
  if (imageWidth * imageHeight > 100_000_000) throw new Error(`its size is said to be ${imageWidth} × ${imageHeight}`);
  const plane = { width: imageWidth, height: imageHeight, data: new Uint8Array(imageWidth * imageHeight) };
  for (const shape of shapes) {
    const object = Number(shape.group_id);
    const [corner] = shape.points;
    if (!corner || !Number.isInteger(object) || object < 1 || object > sceneshift.objects.length)
      throw new Error('its objects are not those it was saved with');
    place(plane, shape.mask, corner, object);
  }
  if (sceneshift.doubt) place(plane, sceneshift.doubt.mask, [sceneshift.doubt.x, sceneshift.doubt.y], doubt);
  return plane;
}

function place(plane: ObjectPlane, base64: string, [left, top]: readonly [number, number], value: number): void {
  const png = decodePng(Buffer.from(base64, 'base64'), { maxPixels: plane.data.length });
  for (let y = 0; y < png.height; y++)
    for (let x = 0; x < png.width; x++) {
      if (!png.data[(y * png.width + x) * png.channels]) continue;
      const [u, v] = [left + x, top + y];
      if (u >= 0 && v >= 0 && u < plane.width && v < plane.height) plane.data[v * plane.width + u] = value;
    }
}

/** A mask from elsewhere as one object. */
export function planeFromMask({ width, height, data, ignore }: Mask): ObjectPlane {
  return {
    width,
    height,
    data: data.map((value, i) => (ignore?.[i] ? doubt : value ? 1 : background)),
  };
}
