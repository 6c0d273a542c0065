import { basename, dirname, join, relative } from 'node:path';
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
import { exists, list, readHead, readText } from '../files.ts';
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
const imageSchema = z.object({
  id: z.union([z.number(), z.string()]),
  file_name: z.string().min(1),
  width: z.number(),
  height: z.number(),
});
type CocoImage = z.infer<typeof imageSchema>;
const categorySchema = z.object({ id: z.union([z.number(), z.string()]), name: z.string() });
/** Checks the outer structure alone: entries are checked one by one, so that a wrong one costs only its own sample. */
const cocoSchema = z.object({
  images: z.array(z.unknown()),
  annotations: z.array(z.unknown()),
  categories: z.array(z.unknown()),
});

/** Polygons, run lengths and boxes; crowds are left out, since they are no single object. */
export const coco = defineReader({
  id: 'coco',
  title: 'COCO',
  listsFiles: true,
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

async function readFileOf(
  file: string,
  place: DatasetPlace,
  options: ReadOptions,
  several: boolean,
): Promise<ReaderResult> {
  const content = parse(await readText(file), file);
  const root = place.isFile ? dirname(file) : place.path;
  const split = basename(file, '.json')
    .replace(/^instances_?/, '')
    .replace(/^_annotations\.coco$/, basename(dirname(file)));
  const problems: ReadProblem[] = [];
  /** Entries that are what COCO says; of the others one line each. */
  const known = <T>(what: string, entries: readonly unknown[], schema: z.ZodType<T>): T[] =>
    entries.flatMap((entry, i) => {
      const parsed = schema.safeParse(entry);
      if (parsed.success) return [parsed.data];
      const id = `${what} ${String((entry as { id?: unknown } | null)?.id ?? `number ${i + 1}`)}`;
      problems.push({
        sample: id,
        file,
        problem: 'annotation',
        message: `${id} is not one COCO knows: look at its ${parsed.error.issues[0].path.join('.') || 'fields'}`,
      });
      return [];
    });
  const images = known('image', content.images, imageSchema);
  const names = new Map(
    known('category', content.categories, categorySchema).map(({ id, name }) => [String(id), name]),
  );
  const byImage = new Map<string, Annotation[]>();
  let crowds = 0;
  for (const annotation of known('annotation', content.annotations, annotationSchema)) {
    if (annotation.iscrowd) {
      crowds++;
      continue;
    }
    const own = byImage.get(String(annotation.image_id));
    if (own) own.push(annotation);
    else byImage.set(String(annotation.image_id), [annotation]);
  }
  const folder = await imageFolderOf(images, file, split);
  let empty = 0;
  const samples = images.flatMap((image): Sample[] => {
    const objects = (byImage.get(String(image.id)) ?? []).map((annotation) => ({
      annotation,
      label: names.get(String(annotation.category_id)) ?? String(annotation.category_id),
      areaPx: annotation.area ?? (annotation.bbox ? annotation.bbox[2] * annotation.bbox[3] : 0),
    }));
    if (!objects.length) empty++;
    const path = join(folder, image.file_name);
    const id = relative(root, path).replaceAll('\\', '/');
    const chosen = chooseObjects(objects, options.objects);
    return chosen.flatMap((parts): Sample[] => {
      const boxes = parts.flatMap(({ annotation }) => (annotation.bbox ? [annotation.bbox as Box] : []));
      try {
        const mask = joinMasks(parts.map(({ annotation }) => maskOf(annotation, image)));
        return [
          {
            id: chosen.length > 1 ? `${id}#${parts[0].annotation.id ?? ''}` : id,
            image: path,
            label: parts[0].label,
            ...(several && { split }),
            ...(chosen.length > 1 && { group: id }),
            ...(mask && { mask }),
            ...(boxes.length && { box: unionBox(boxes) }),
          },
        ];
      } catch (error) {
        problems.push(annotationProblem(id, file, error));
        return [];
      }
    });
  });
  const notes: string[] = [];
  if (empty) notes.push(`${empty} images of ${basename(file)} have no object and are left out`);
  if (crowds) notes.push(`${crowds} crowd annotations are left out: they are no single object`);
  return { samples, notes, problems };
}

function parse(text: string, file: string): z.infer<typeof cocoSchema> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new UserError(`Expected JSON in ${file} but it cannot be parsed`);
  }
  const parsed = cocoSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const missing = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole').join(', ');
  throw new UserError(`Expected COCO's lists images, annotations and categories in ${file}; look at: ${missing}`);
}

/** Where the pictures lie: beside the file, in `images/`, or in the folder of the split's name, as COCO unpacks. */
async function imageFolderOf(images: readonly CocoImage[], file: string, split: string): Promise<string> {
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
