import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import type { MaskSource, Sample } from '../../contracts/sample.ts';
import { defineReader, type Found, type Place, type ReadOptions, type ReadProblem } from '../define.ts';
import { exists, list, readHead } from '../files.ts';
import { joinMasks } from '../join-masks.ts';
import { type Box, chooseObjects, unionBox } from '../objects.ts';

const rle = z.object({ counts: z.union([z.string(), z.array(z.number())]), size: z.tuple([z.number(), z.number()]) });
const annotationSchema = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  image_id: z.union([z.number(), z.string()]),
  category_id: z.union([z.number(), z.string()]),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  area: z.number().optional(),
  iscrowd: z.union([z.number(), z.boolean()]).optional(),
  segmentation: z.union([z.array(z.array(z.number())), rle]).optional(),
});
type Annotation = z.infer<typeof annotationSchema>;
const cocoSchema = z.object({
  images: z.array(
    z.object({ id: z.union([z.number(), z.string()]), file_name: z.string(), width: z.number(), height: z.number() }),
  ),
  annotations: z.array(z.unknown()),
  categories: z.array(z.object({ id: z.union([z.number(), z.string()]), name: z.string() })),
});
type Coco = z.infer<typeof cocoSchema>;

/** Polygons, run lengths and boxes; crowds are left out, since they are no single object. */
export const coco = defineReader({
  id: 'coco',
  title: 'COCO',
  looksLike: 'FILE.json with images, annotations and categories (or a folder with annotations/instances_*.json)',
  async detect({ path, isFile }) {
    if (isFile) return /\.json$/i.test(path) && (await looksLikeCoco(path)) ? 1 : 0;
    return (await annotationFiles(path)).length ? 0.9 : 0;
  },
  async read(place, options) {
    const files = place.isFile ? [place.path] : await annotationFiles(place.path);
    const found = await Promise.all(files.map((file) => readFileOf(file, place, options, files.length > 1)));
    return {
      samples: found.flatMap(({ samples }) => samples),
      notes: found.flatMap(({ notes = [] }) => notes),
      problems: found.flatMap(({ problems = [] }) => problems),
    };
  },
});

async function looksLikeCoco(file: string): Promise<boolean> {
  const head = await readHead(file);
  return /^\s*\{/.test(head) && /"(images|annotations|categories)"\s*:\s*\[/.test(head) && !/"shapes"\s*:/.test(head);
}

/** Instance annotations of a folder: the usual places of COCO itself and of tools that export to it. */
async function annotationFiles(folder: string): Promise<string[]> {
  const { folders } = await list(folder);
  const places = ['', ...folders.filter((name) => /^(annotations|labels|train|valid|val|test)$/i.test(name))];
  const found: string[] = [];
  for (const place of places)
    for (const name of (await list(join(folder, place))).files)
      if (/\.json$/i.test(name) && (await looksLikeCoco(join(folder, place, name))))
        found.push(join(folder, place, name));
  const instances = found.filter((file) => /^(instances|_annotations\.coco)/.test(basename(file)));
  return instances.length ? instances : found;
}

async function readFileOf(file: string, place: Place, options: ReadOptions, several: boolean): Promise<Found> {
  const content = parse(await readFile(file, 'utf8'), file);
  const root = place.isFile ? dirname(file) : place.path;
  const split = basename(file, '.json')
    .replace(/^instances_?/, '')
    .replace(/^_annotations\.coco$/, basename(dirname(file)));
  const folder = await imageFolderOf(content, file, split);
  const names = new Map(content.categories.map(({ id, name }) => [String(id), name]));
  const byImage = new Map<string, Annotation[]>();
  const problems: ReadProblem[] = [];
  let crowds = 0;
  for (const entry of content.annotations) {
    const parsed = annotationSchema.safeParse(entry);
    if (!parsed.success) {
      const id = String((entry as { id?: unknown })?.id ?? '?');
      problems.push({
        sample: `annotation ${id}`,
        file,
        problem: 'other',
        message: `${basename(file)}: annotation ${id} is not one COCO knows`,
      });
    } else if (parsed.data.iscrowd) crowds++;
    else {
      const key = String(parsed.data.image_id);
      const known = byImage.get(key);
      if (known) known.push(parsed.data);
      else byImage.set(key, [parsed.data]);
    }
  }
  let empty = 0;
  const samples = content.images.flatMap((image): Sample[] => {
    const objects = (byImage.get(String(image.id)) ?? []).map((annotation) => ({
      annotation,
      label: names.get(String(annotation.category_id)) ?? String(annotation.category_id),
      areaPx: annotation.area ?? (annotation.bbox ? annotation.bbox[2] * annotation.bbox[3] : 0),
    }));
    if (!objects.length) empty++;
    const path = join(folder, image.file_name);
    const id = relative(root, path).replaceAll('\\', '/');
    const chosen = chooseObjects(objects, options.objects);
    return chosen.map((parts): Sample => {
      const mask = joinMasks(parts.map(({ annotation }) => maskOf(annotation, image)));
      const boxes = parts.flatMap(({ annotation }) => (annotation.bbox ? [annotation.bbox as Box] : []));
      return {
        id: chosen.length > 1 ? `${id}#${parts[0].annotation.id ?? ''}` : id,
        image: path,
        label: parts[0].label,
        ...(several && { split }),
        ...(chosen.length > 1 && { group: id }),
        ...(mask && { mask }),
        ...(boxes.length && { box: unionBox(boxes) }),
      };
    });
  });
  const notes: string[] = [];
  if (empty) notes.push(`${empty} images of ${basename(file)} have no object and are left out`);
  if (crowds) notes.push(`${crowds} crowd annotations are left out: they are no single object`);
  return { samples, notes, problems };
}

function parse(text: string, file: string): Coco {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new UserError(`Expected JSON in ${file} but it cannot be parsed`);
  }
  const parsed = cocoSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(
    `Expected COCO's images, annotations and categories in ${file}: ${issue.path.join('.')}: ${issue.message}`,
  );
}

/** Where the pictures lie: beside the file, in `images/`, or in the folder of the split's name, as COCO unpacks. */
async function imageFolderOf({ images }: Coco, file: string, split: string): Promise<string> {
  const here = dirname(file);
  const up = dirname(here);
  const candidates = [
    here,
    join(here, 'images'),
    join(here, split),
    join(here, 'images', split),
    join(up, split),
    join(up, 'images', split),
    join(up, 'images'),
    up,
  ];
  const probes = images.slice(0, 5).map(({ file_name }) => file_name);
  for (const candidate of candidates)
    for (const probe of probes) if (await exists(join(candidate, probe))) return candidate;
  return here;
}

function maskOf(
  { segmentation }: Annotation,
  { width, height }: { width: number; height: number },
): MaskSource | undefined {
  if (!segmentation || (Array.isArray(segmentation) && !segmentation.length)) return undefined;
  if (Array.isArray(segmentation))
    return { kind: 'polygons', polygons: segmentation.filter((polygon) => polygon.length >= 6), width, height };
  const [h, w] = segmentation.size;
  return { kind: 'rle', counts: segmentation.counts, width: w, height: h };
}
