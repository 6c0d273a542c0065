import { relative } from 'node:path';
import type { SampleError } from '../../contracts/errors.ts';
import type { BorderPolicy, Dataset, Sample } from '../../contracts/sample.ts';
import { crashLessons, isAmong } from '../../formats/in-hand.ts';
import { defaultMaxPixels } from '../../image/decode.ts';
import { imagenet1k, shownLabel } from '../../labels/imagenet-1k.ts';
import { matchLabel } from '../../labels/match.ts';
import { unmatchedClasses } from '../../labels/unmatched.ts';
import { describeMaskCoverage, hasObjectMask, maskCoverage } from '../mask-coverage.ts';
import { drawnFor } from '../masks/load.ts';
import { goodLabel } from '../readers/mvtec-ad.ts';
import { checkImage, type ImageReport } from './image.ts';
import type { MaskDoubt } from './mask-doubts.ts';
import { type CheckFinding, type CheckSpread, type DatasetReport, hintFor } from './report.ts';

export interface CheckOptions {
  readonly border?: BorderPolicy;
  readonly maxPixels?: number;
  /** Files in hand at a time; memory grows with it and with nothing else. */
  readonly concurrency?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Opens every image and mask of a dataset and says what is there and what is wrong. */
export async function checkDataset(
  dataset: Dataset,
  { border = 'ignore', maxPixels = defaultMaxPixels, concurrency = 4, onProgress }: CheckOptions = {},
): Promise<DatasetReport> {
  const byFile = new Map<string, Sample[]>();
  for (const sample of dataset.samples) {
    const known = byFile.get(sample.image);
    if (known) known.push(sample);
    else byFile.set(sample.image, [sample]);
  }
  const files = [...byFile];
  const reports = new Array<ImageReport>(files.length);
  let done = 0;
  const checkNext = async (place: number) => {
    reports[place] = await checkImage(files[place][0], files[place][1], { border, maxPixels });
    onProgress?.(++done, files.length);
  };
  const suspects = new Set(crashLessons().suspects);
  const isSuspect = (place: number) => files[place][1].some((sample) => isAmong(suspects, sample));
  for (const place of files.keys()) if (isSuspect(place)) await checkNext(place);
  let next = 0;
  const work = async () => {
    while (next < files.length) {
      const place = next++;
      if (!isSuspect(place)) await checkNext(place);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, files.length) }, work));
  return summarize(dataset, reports, border);
}

function summarize(dataset: Dataset, reports: readonly ImageReport[], border: BorderPolicy): DatasetReport {
  const nameOf = (file: string) => {
    const name = relative(folderOf(dataset), file);
    return name.length > file.length ? file : name.replaceAll('\\', '/');
  };
  const { problems, warnings, bad } = findings(dataset, reports, nameOf);
  const masks = reports.flatMap((report) => report.masks);
  const shares = masks.flatMap(({ share }) => (share === undefined ? [] : [share])).sort((a, b) => a - b);
  const encodings = count(masks.flatMap(({ encoding }) => encoding ?? []));
  const [encoding = null] = Object.entries(encodings)
    .sort((a, b) => b[1] - a[1])
    .map(([name]) => name);
  const found = dataset.samples.filter(({ mask }) => mask).length;
  const good = reports.filter(({ error }) => !error);
  return {
    path: dataset.path,
    layout: dataset.layout,
    samples: dataset.samples.length,
    lost: dataset.problems.length,
    usable: dataset.samples.length - bad.size,
    classes: dataset.classes.map((label) => {
      const own = dataset.samples.filter((sample) => sample.label === label);
      return { label, name: shownLabel(label), samples: own.length, withMask: own.filter(({ mask }) => mask).length };
    }),
    unlabelled: dataset.samples.filter(({ label }) => label === undefined).length,
    splits: count(dataset.samples.flatMap(({ split }) => split ?? [])),
    scenarios: dataset.samples.some(({ scenario }) => scenario)
      ? count(dataset.samples.map(({ scenario = 'original' }) => scenario))
      : {},
    images: {
      files: reports.length,
      formats: count(good.map(({ format = '' }) => format)),
      width: spread(good.map(({ width = 0 }) => width)),
      height: spread(good.map(({ height = 0 }) => height)),
    },
    masks: {
      found,
      usable: shares.length,
      missing: dataset.samples.length - found,
      encoding: encoding as DatasetReport['masks']['encoding'],
      encodings,
      border,
      share: shares.length
        ? { ...(spread(shares) as CheckSpread), q25: quantile(shares, 0.25), q75: quantile(shares, 0.75) }
        : null,
    },
    doubtfulMasks: doubtfulMasks(reports, nameOf),
    duplicates: duplicates(good, nameOf),
    decodeDifferences: good
      .filter(({ differences }) => differences.length)
      .map(({ file, differences }) => ({ file: nameOf(file), differences })),
    imagenet: imagenetLabels(dataset.classes),
    problems,
    warnings,
    notes: [...coverageNote(dataset), ...dataset.notes],
  };
}

const folderOf = ({ path, layout }: Dataset) =>
  layout === 'manifest' || /\.json$/i.test(path) ? path.replace(/[/\\][^/\\]+\.\w+$/, '') : path;

function findings(dataset: Dataset, reports: readonly ImageReport[], nameOf: (file: string) => string) {
  const problems: CheckFinding[] = dataset.problems.map((problem) => ({
    ...problem,
    file: nameOf(problem.file),
    hint: hintFor(problem.problem),
  }));
  const warnings: CheckFinding[] = [];
  const bad = new Set<Sample>();
  const anyMask = dataset.samples.some(({ mask }) => mask);
  const marksDefects = dataset.samples.some(({ mask, protect }) => protect && mask === protect);
  for (const { file, samples, error, masks, turnedSameSize } of reports) {
    if (error) {
      for (const sample of samples) bad.add(sample);
      problems.push(finding(samples[0].id, nameOf(file), error.problem, lineOf(error)));
      continue;
    }
    for (const { sample, error: maskError, notes } of masks) {
      const maskFile = sample.mask?.kind === 'file' ? nameOf(sample.mask.path) : nameOf(file);
      // An empty or full mask says nothing about the file that bears it: the image can still be used without.
      const blank = maskError?.problem === 'mask-empty' || maskError?.problem === 'mask-full';
      if (maskError)
        (blank ? warnings : problems).push(finding(sample.id, maskFile, maskError.problem, lineOf(maskError)));
      if (maskError && !blank) bad.add(sample);
      for (const { kind, message } of notes)
        warnings.push(finding(sample.id, maskFile, kind === 'polarity' ? 'mask-inverted' : `mask-${kind}`, message));
      if (!maskError && turnedSameSize && sample.mask && !drawnFor(sample.mask))
        warnings.push(
          finding(
            sample.id,
            maskFile,
            'mask-orientation',
            'the image has an EXIF orientation that does not swap its sides, and the mask could be drawn for it as stored or as displayed; it is taken as drawn for the picture as it is read (decode)',
          ),
        );
    }
    if (anyMask)
      // Where masks mark defects, a good part has none to mark.
      for (const sample of samples)
        if (!sample.mask && !(marksDefects && sample.label === goodLabel))
          warnings.push(finding(sample.id, nameOf(file), 'mask-missing', 'the image has no mask'));
  }
  warnings.push(...targetDoubts(dataset), ...labelDoubts(dataset));
  // Many images without a mask would hide what is wrong with the others.
  warnings.sort((a, b) => Number(a.problem === 'mask-missing') - Number(b.problem === 'mask-missing'));
  return { problems, warnings, bad };
}

const finding = (sample: string, file: string, problem: string, message: string): CheckFinding => ({
  sample,
  file,
  problem,
  message,
  hint: hintFor(problem),
});

/** The message without the file's name, which is shown beside it. */
const lineOf = ({ message, file }: SampleError) =>
  message.startsWith(`${file} `)
    ? `the file ${message.slice(`${file} `.length)}`
    : message.replace(` ${file}`, '').replace(/^The image /, 'the file ');

/** Labels that are the name of one ImageNet class while the manifest's target says another. */
function targetDoubts({ samples, path }: Dataset): CheckFinding[] {
  const doubts = new Map<string, CheckFinding>();
  for (const { id, label, targets } of samples) {
    if (label === undefined || !targets?.length || doubts.has(label)) continue;
    const { indices } = matchLabel(label, imagenet1k);
    if (indices.length === 1 && !targets.includes(indices[0]) && targets.every((target) => target < 1000))
      doubts.set(
        label,
        finding(
          id,
          path,
          'target',
          `label '${label}' is ImageNet's ${indices[0]}, the target says ${targets.join(' or ')}`,
        ),
      );
  }
  return [...doubts.values()];
}

/** Where most labels are ImageNet's words, those that are not are probably misspelt or need a label map. */
function labelDoubts(dataset: Dataset): CheckFinding[] {
  if (!imagenetLabels(dataset.classes)) return [];
  const outputs = { name: 'imagenet-1k', labels: imagenet1k.names, wnids: imagenet1k.wnids };
  return unmatchedClasses(dataset.samples, { description: outputs }).map(({ label, samples, near }) => {
    const names = near.map(({ name, output }) => `${name} (${output})`).join(', ');
    const message = `label '${label}' (${samples} samples) names no single class of ImageNet-1k${names ? `; near: ${names}` : ''}`;
    return finding(label, dataset.path, 'label', message);
  });
}

/** What planning a run with scenarios that need masks will say, by the same rule. */
function coverageNote({ samples }: Dataset): string[] {
  if (!samples.some(hasObjectMask)) return [];
  const coverage = maskCoverage(samples, usualMaxErrors);
  return coverage.without ? [describeMaskCoverage(coverage, usualMaxErrors)] : [];
}

/** The default of `--max-errors`. */
const usualMaxErrors = 0.1;

function doubtfulMasks(
  reports: readonly ImageReport[],
  nameOf: (file: string) => string,
): DatasetReport['doubtfulMasks'] {
  const worst = ({ doubts }: { doubts: readonly MaskDoubt[] }) =>
    doubts.reduce((sum, { severity }) => sum + severity, 0);
  return reports
    .flatMap(({ file, masks }) =>
      masks
        .filter(({ doubts }) => doubts.length)
        .map(({ sample, doubts }) => ({ sample: sample.id, file: nameOf(file), doubts })),
    )
    .sort((a, b) => worst(b) - worst(a) || (a.sample < b.sample ? -1 : 1));
}

function imagenetLabels(classes: readonly string[]): DatasetReport['imagenet'] {
  const matches = classes.map((label) => ({ label, indices: matchLabel(label, imagenet1k).indices }));
  const known = matches.filter(({ indices }) => indices.length === 1).length;
  if (!classes.length || known < classes.length / 2) return null;
  return {
    known,
    ambiguous: matches.filter(({ indices }) => indices.length > 1).map(({ label }) => label),
    unknown: matches.filter(({ indices }) => !indices.length).map(({ label }) => label),
  };
}

function duplicates(reports: readonly ImageReport[], nameOf: (file: string) => string): DatasetReport['duplicates'] {
  const group = (keyOf: (report: ImageReport) => string | undefined) => {
    const groups = new Map<string, ImageReport[]>();
    for (const report of reports) {
      const key = keyOf(report) as string;
      const known = groups.get(key);
      if (known) known.push(report);
      else groups.set(key, [report]);
    }
    return [...groups.values()].filter((members) => members.length > 1);
  };
  const entry = (same: 'bytes' | 'pixels') => (members: readonly ImageReport[]) => ({
    same,
    files: members.map(({ file }) => nameOf(file)),
    labels: [...new Set(members.flatMap(({ samples }) => samples.flatMap(({ label }) => label ?? [])))],
  });
  const bytes = group(({ byteHash }) => byteHash);
  const pixels = group(({ pixelHash }) => pixelHash).filter(
    (members) => new Set(members.map(({ byteHash }) => byteHash)).size > 1,
  );
  return [...bytes.map(entry('bytes')), ...pixels.map(entry('pixels'))];
}

function count(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function spread(values: readonly number[]): CheckSpread | null {
  if (!values.length) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return { min: sorted[0], median: quantile(sorted, 0.5), max: sorted[sorted.length - 1] };
}

/** Linear between neighbours, as R's default and NumPy's. */
function quantile(sorted: readonly number[], p: number): number {
  const position = (sorted.length - 1) * p;
  const low = Math.floor(position);
  return sorted[low] + (position - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}
