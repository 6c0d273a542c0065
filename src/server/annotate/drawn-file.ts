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

/** Which values a plane holds: 1 by value. */
export function valuesOf({ data }: ObjectPlane): Uint8Array {
  const seen = new Uint8Array(256);
  for (let i = 0; i < data.length; i++) seen[data[i]] = 1;
  return seen;
}

/** The sample's mask: the objects of its label, or all where none has it, and doubt as a trimap's border. */
export function sampleMask(plane: ObjectPlane, objects: readonly string[], label: string | undefined): Mask {
  const seen = valuesOf(plane);
  const drawn = objects.map((_, i) => i + 1).filter((object) => seen[object]);
  const own = drawn.filter((object) => objects[object - 1] === label);
  const levels = new Uint8Array(256);
  for (const object of own.length ? own : drawn) levels[object] = 255;
  levels[doubt] = 255;
  const mask = createMask(plane.width, plane.height, through(plane.data, levels));
  return seen[doubt] ? { ...mask, ignore: through(plane.data, only(doubt)) } : mask;
}

/** A table that is white for one value. */
function only(value: number): Uint8Array {
  const table = new Uint8Array(256);
  table[value] = 255;
  return table;
}

function through(data: Uint8Array, table: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) out[i] = table[data[i]];
  return out;
}

/** White on the object, black on the background, a middle grey where there is doubt. */
export function encodeSampleMask(mask: Mask): Promise<Uint8Array> {
  const { ignore } = mask;
  if (!ignore) return encodeMask(mask);
  const data = mask.data.slice();
  for (let i = 0; i < data.length; i++) if (ignore[i]) data[i] = 128;
  return encodeMask(createMask(mask.width, mask.height, data));
}

/** The objects as LabelMe (5.3 and later) keeps masks: small PNGs of 0 and 255, each between two corners. */
export async function toShapes(plane: ObjectPlane, objects: readonly string[]) {
  const shapes: DrawnFile['shapes'] = [];
  const seen = valuesOf(plane);
  for (const [i, label] of objects.entries()) {
    const part = seen[i + 1] ? await cutOut(plane, i + 1) : undefined;
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
  const painted = seen[doubt] ? await cutOut(plane, doubt) : undefined;
  return { shapes, doubt: painted ? { x: painted.x, y: painted.y, mask: painted.mask } : null };
}

async function cutOut(plane: ObjectPlane, value: number) {
  const { width, height } = plane;
  const whole = createMask(width, height, through(plane.data, only(value)));
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
  const out = new Uint8Array(data.length);
  for (let i = 0; i < out.length; i++) out[i] = ignore?.[i] ? doubt : data[i] ? 1 : background;
  return { width, height, data: out };
}
