import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import type { MaskSource, Sample } from '../../contracts/sample.ts';
import {
  annotationProblem,
  type DatasetPlace,
  defineReader,
  type ReaderResult,
  type ReadOptions,
  type ReadProblem,
} from '../define.ts';
import { isImageName, list, readHead, readText, stemOf, walk } from '../files.ts';
import { joinMasks } from '../join-masks.ts';
import { placedBitmap } from '../masks/placed-bitmap.ts';
import { chooseObjects } from '../objects.ts';
import { findLabelmePicture } from './labelme-picture.ts';

const point = z.tuple([z.number(), z.number()]);
const shapeSchema = z.object({
  label: z.string(),
  points: z.array(point),
  group_id: z.union([z.number(), z.string()]).nullish(),
  shape_type: z.string().nullish(),
  /** A PNG in base64, placed between the two points. */
  mask: z.string().nullish(),
});
type Shape = z.infer<typeof shapeSchema>;
const fileSchema = z.object({
  shapes: z.array(shapeSchema),
  imagePath: z.string().nullish(),
  imageData: z.string().nullish(),
  imageWidth: z.number().int().positive(),
  imageHeight: z.number().int().positive(),
  flags: z.record(z.string(), z.unknown()).nullish(),
});
type LabelmeFile = z.infer<typeof fileSchema>;

/** One JSON file a picture; an object is all the shapes of one label and group. */
export const labelme = defineReader({
  id: 'labelme',
  title: 'LabelMe',
  looksLike: 'x.json beside x.jpg, with shapes and imagePath (polygon, rectangle, circle, mask)',
  async detect({ path, isFile }) {
    if (isFile) return /\.json$/i.test(path) && (await looksLikeLabelme(path)) ? 1 : 0;
    const first = await firstJson(path, 2);
    return first && (await looksLikeLabelme(first)) ? 0.9 : 0;
  },
  async read(place, options) {
    const root = place.isFile ? dirname(place.path) : place.path;
    const files = place.isFile
      ? [place.path.slice(root.length + 1)]
      : await walk(root, { accept: (name) => /\.json$/i.test(name) });
    return readFiles(files, root, place, options);
  },
});

const looksLikeLabelme = async (file: string) => {
  const head = await readHead(file);
  return (
    /^\s*\{/.test(head) &&
    /"shapes"\s*:\s*\[/.test(head) &&
    /"(points|imagePath|imageHeight|shape_type|flags)"\s*:/.test(head)
  );
};

async function firstJson(folder: string, depth: number): Promise<string | undefined> {
  const { files, folders } = await list(folder);
  const name = files.find((file) => /\.json$/i.test(file));
  if (name) return join(folder, name);
  if (depth > 0)
    for (const below of folders) {
      const found = await firstJson(join(folder, below), depth - 1);
      if (found) return found;
    }
  return undefined;
}

async function readFiles(
  files: readonly string[],
  root: string,
  place: DatasetPlace,
  options: ReadOptions,
): Promise<ReaderResult> {
  const samples: Sample[] = [];
  const problems: ReadProblem[] = [];
  const pictured = new Set<string>();
  let other = 0;
  let embedded = 0;
  for (const name of files) {
    const file = join(root, name);
    let parsed: LabelmeFile | undefined;
    try {
      parsed = parse(await readText(file));
    } catch (error) {
      if (place.isFile) throw new UserError(`${file} cannot be used: ${(error as Error).message}`);
      problems.push(annotationProblem(name, file, error));
      continue;
    }
    if (!parsed) {
      if (place.isFile) throw new UserError(`Expected LabelMe's shapes, imageWidth and imageHeight in ${file}`);
      other++;
      continue;
    }
    const image = await findLabelmePicture(parsed, file);
    if (!image) {
      problems.push({
        sample: name,
        file,
        problem: 'missing-file',
        message: `picture '${parsed.imagePath ?? ''}' of ${name} is not there, none of its name lies beside it and none is embedded`,
      });
      continue;
    }
    if (image.embedded) embedded++;
    const id = image.embedded ? name : relative(root, image.path).replaceAll('\\', '/');
    pictured.add(stemOf(id));
    try {
      samples.push(...samplesOf(parsed, id, image.path, options));
    } catch (error) {
      problems.push(annotationProblem(id, file, error));
    }
  }
  const pictures = place.isFile ? [] : await walk(root, { accept: isImageName });
  const without = pictures.filter((picture) => !pictured.has(stemOf(picture))).length;
  const notes: string[] = [];
  if (other) notes.push(`${other} JSON files are not LabelMe's and are left out`);
  if (without) notes.push(`${without} pictures have no JSON file and are left out`);
  if (embedded) notes.push(`${embedded} pictures are taken out of their JSON file, where they are embedded`);
  return { samples, notes, problems };
}

/** Undefined: some other JSON. Throws a plain Error where it is LabelMe's and wrong. */
function parse(text: string): LabelmeFile | undefined {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error('it is no JSON');
  }
  const parsed = fileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  if (!Array.isArray((content as { shapes?: unknown } | null)?.shapes)) return undefined;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue.path.join('.')} is not what LabelMe writes`);
}

function samplesOf(file: LabelmeFile, id: string, image: string, options: ReadOptions): Sample[] {
  const objects = new Map<string, { label: string; shapes: Shape[]; areaPx: number; key: string }>();
  for (const shape of file.shapes) {
    const areaPx = boxArea(shape);
    const key = `${shape.label}${shape.group_id === null || shape.group_id === undefined ? '' : `-${shape.group_id}`}`;
    const known = objects.get(key) ?? { label: shape.label, shapes: [], areaPx: 0, key };
    known.shapes.push(shape);
    known.areaPx += areaPx;
    objects.set(key, known);
  }
  const chosen = chooseObjects([...objects.values()], options.objects);
  if (!chosen.length) {
    // Pictures classified as a whole carry their class as a flag.
    const flag = Object.entries(file.flags ?? {}).find(([, on]) => on === true)?.[0];
    return [{ id, image, ...(flag !== undefined && { label: flag }) }];
  }
  return chosen.map((parts): Sample => {
    const mask = joinMasks(parts.flatMap(({ shapes }) => shapes.map((shape) => maskOf(shape, file))));
    return {
      id: chosen.length > 1 ? `${id}#${parts[0].key}` : id,
      image,
      label: parts[0].label,
      ...(chosen.length > 1 && { group: id }),
      ...(mask && { mask }),
    };
  });
}

function extent(values: readonly number[]): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most - least;
}
const boxArea = ({ points, shape_type }: Shape) => {
  if (shape_type === 'circle' && points.length === 2) return Math.PI * distance(points[0], points[1]) ** 2;
  return points.length < 2 ? 0 : extent(points.map(([x]) => x)) * extent(points.map(([, y]) => y));
};
const distance = ([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]) =>
  Math.hypot(ax - bx, ay - by);

/** Lines and points have no area and are no masks. */
function maskOf({ shape_type: type, points, mask }: Shape, file: LabelmeFile): MaskSource | undefined {
  const base = { kind: 'polygons', rule: 'labelme', width: file.imageWidth, height: file.imageHeight } as const;
  if (type === 'mask' && mask && points.length)
    return placedBitmap(Buffer.from(mask, 'base64'), points[0], file.imageWidth, file.imageHeight);
  if (type === 'circle' && points.length === 2)
    return { ...base, polygons: [], circles: [[...points[0], distance(points[0], points[1])]] };
  if (type === 'rectangle' && points.length === 2) {
    const [[x0, y0], [x1, y1]] = points;
    return { ...base, polygons: [[x0, y0, x1, y0, x1, y1, x0, y1]] };
  }
  if (['line', 'linestrip', 'point', 'points'].includes(type ?? '') || points.length < 3) return undefined;
  return { ...base, polygons: [points.flat()] };
}
