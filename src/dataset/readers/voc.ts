import { join } from 'node:path';
import type { MaskSource, Sample } from '../../contracts/sample.ts';
import { parseXml, xmlChildren, xmlText } from '../../formats/xml.ts';
import { annotationProblem, defineReader, type ReaderResult, type ReadOptions, type ReadProblem } from '../define.ts';
import { isImageName, isMaskName, list, readText, stemOf } from '../files.ts';
import { classify, object } from '../masks/classify.ts';
import { lookAt } from '../masks/look.ts';
import { readRawMask } from '../masks/raw.ts';
import { type Box, chooseObjects, unionBox } from '../objects.ts';

/** The twenty classes, numbered from 1 in `SegmentationClass`. */
const vocClasses =
  'aeroplane bicycle bird boat bottle bus car cat chair cow diningtable dog horse motorbike person pottedplant sheep sofa train tvmonitor'.split(
    ' ',
  );

const isVoc = (folders: readonly string[]) =>
  folders.includes('JPEGImages') &&
  ['Annotations', 'SegmentationClass', 'SegmentationObject'].some((name) => folders.includes(name));

/** Where a segmentation exists, the pictures that have one; else all, with their boxes. */
export const voc = defineReader({
  id: 'voc',
  title: 'PASCAL VOC',
  looksLike: 'JPEGImages/, Annotations/*.xml, SegmentationObject/ or SegmentationClass/ (or VOCdevkit/VOC2012/…)',
  async detect({ path, isFile, listing }) {
    if (isFile) return 0;
    return isVoc(listing.folders) ? 1 : (await nested(path, listing.folders)) ? 0.95 : 0;
  },
  async read({ path, listing }, options) {
    const below = isVoc(listing.folders) ? '' : ((await nested(path, listing.folders)) ?? '');
    return readVoc(path, below, options);
  },
});

/** The newest year inside `VOCdevkit`. */
async function nested(path: string, folders: readonly string[]): Promise<string | undefined> {
  for (const name of [...folders].reverse()) {
    if (!/^VOC/i.test(name)) continue;
    const inside = (await list(join(path, name))).folders;
    if (isVoc(inside)) return name;
    const deeper = await nested(join(path, name), inside);
    if (deeper) return `${name}/${deeper}`;
  }
  return undefined;
}

async function readVoc(root: string, below: string, options: ReadOptions): Promise<ReaderResult> {
  const folder = join(root, below);
  const stems = async (name: string, accept: (file: string) => boolean) =>
    new Map((await list(join(folder, name))).files.filter(accept).map((file) => [stemOf(file), file]));
  const images = await stems('JPEGImages', isImageName);
  const annotations = await stems('Annotations', (name) => /\.xml$/i.test(name));
  const objectMasks = await stems('SegmentationObject', isMaskName);
  const classMasks = await stems('SegmentationClass', isMaskName);
  const segmented = objectMasks.size + classMasks.size > 0;
  const names = await classNames(folder);
  const splits = await readSplits(folder);

  const samples: Sample[] = [];
  const problems: ReadProblem[] = [];
  let left = 0;
  for (const [stem, image] of images) {
    const objectMask = objectMasks.get(stem);
    const classMask = classMasks.get(stem);
    if (segmented && !objectMask && !classMask) {
      left++;
      continue;
    }
    const xml = annotations.get(stem);
    const id = `${below ? `${below}/` : ''}JPEGImages/${image}`;
    let annotated: VocObject[];
    try {
      annotated = xml ? await readObjects(await readText(join(folder, 'Annotations', xml))) : [];
    } catch (error) {
      problems.push(annotationProblem(id, join(folder, 'Annotations', xml as string), error));
      continue;
    }
    const base = { image: join(folder, 'JPEGImages', image), ...(splits.has(stem) && { split: splits.get(stem) }) };
    const chosen = chooseObjects(annotated, options.objects);
    for (const parts of chosen) {
      const values = parts.map(({ number }) => number);
      const boxes = parts.flatMap(({ box }) => (box ? [box] : []));
      const mask = objectMask
        ? file(join(folder, 'SegmentationObject', objectMask), values)
        : classMask && file(join(folder, 'SegmentationClass', classMask), [names.indexOf(parts[0].label) + 1]);
      samples.push({
        ...base,
        id: chosen.length > 1 ? `${id}#${values[0]}` : id,
        label: parts[0].label,
        ...(chosen.length > 1 && { group: id }),
        ...(mask && { mask }),
        ...(boxes.length && { box: unionBox(boxes) }),
      });
    }
    if (!chosen.length) samples.push({ ...base, id, ...(await withoutXml(folder, classMask, names)) });
  }
  const notes = left ? [`${left} pictures without a segmentation are left out`] : [];
  return { samples, notes, problems };
}

const file = (path: string, values: number[]): MaskSource => ({ kind: 'file', path, encoding: 'palette', values });

interface VocObject {
  readonly label: string;
  readonly areaPx: number;
  readonly number: number;
  readonly box?: Box;
}

/** The n-th object of an annotation is number n in `SegmentationObject`. Parts (heads, hands) are not objects. */
async function readObjects(text: string): Promise<VocObject[]> {
  const xml = await parseXml(text);
  const [annotation] = xmlChildren(xml, 'annotation');
  return xmlChildren(annotation, 'object').map((object, i) => {
    const label = xmlText(object, 'name');
    if (!label) throw new Error(`object ${i + 1} has no name`);
    const [bounds] = xmlChildren(object, 'bndbox');
    if (!bounds) return { label, areaPx: 0, number: i + 1 };
    const [left, top, right, bottom] = ['xmin', 'ymin', 'xmax', 'ymax'].map((side) => {
      const written = xmlText(bounds, side);
      const value = Number(written || Number.NaN);
      if (!Number.isFinite(value)) throw new Error(`${side} of object ${i + 1} is '${written ?? ''}', not a number`);
      return value;
    });
    // VOC counts pixels from 1 and includes both ends.
    const box: Box = [left - 1, top - 1, right - left + 1, bottom - top + 1];
    return { label, areaPx: box[2] * box[3], number: i + 1, box };
  });
}

/** Without an annotation file the class with the most pixels names the picture. */
async function withoutXml(
  folder: string,
  classMask: string | undefined,
  names: readonly string[],
): Promise<Partial<Sample>> {
  if (!classMask) return {};
  const path = join(folder, 'SegmentationClass', classMask);
  const raw = await readRawMask(path).catch(() => undefined);
  if (!raw) return { mask: { kind: 'file', path, encoding: 'palette' } };
  const look = lookAt(raw);
  const counts = names.map((_, i) =>
    classify(raw, look, 'palette', { values: [i + 1] }).reduce((sum, value) => sum + (value === object ? 1 : 0), 0),
  );
  const most = counts.reduce((best, count, i) => (count > counts[best] ? i : best), 0);
  return counts[most] ? { label: names[most], mask: file(path, [most + 1]) } : {};
}

/** Tools that write this layout for other classes list them in `class_names.txt`, background first. */
async function classNames(folder: string): Promise<string[]> {
  for (const name of ['class_names.txt', 'labels.txt', 'labelmap.txt']) {
    const text = await readText(join(folder, name)).catch(() => undefined);
    if (!text) continue;
    const lines = text.split(/\r?\n/).map((line) => line.split(':')[0].trim());
    return lines.filter((line) => line && !/^(#|_ignore_|__ignore__|_?background_?$)/i.test(line));
  }
  return vocClasses;
}

async function readSplits(folder: string): Promise<Map<string, string>> {
  const splits = new Map<string, string>();
  for (const kind of ['Main', 'Segmentation'])
    for (const split of ['train', 'val', 'test']) {
      const text = await readText(join(folder, 'ImageSets', kind, `${split}.txt`)).catch(() => '');
      for (const line of text.split(/\r?\n/)) if (line.trim()) splits.set(line.trim().split(/\s+/)[0], split);
    }
  return splits;
}
