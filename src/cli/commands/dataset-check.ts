import { availableParallelism } from 'node:os';
import { exitCodes } from '../../contracts/errors.ts';
import { percentOf } from '../../contracts/numbers.ts';
import type { BorderPolicy, Dataset } from '../../contracts/sample.ts';
import { checkDataset } from '../../dataset/check/check.ts';
import type { CheckFinding, DatasetReport } from '../../dataset/check/report.ts';
import { type ObjectChoice, objectChoices } from '../../dataset/define.ts';
import { describeUnmatched, type UnmatchedClass, unmatchedClasses } from '../../labels/unmatched.ts';
import { assumeClassOrder } from '../../models/labels.ts';
import { openConfiguredDataset } from '../../run/configured-dataset.ts';
import { pluginsRecord } from '../../run/plugins/identity.ts';
import { parseConfig } from '../../run/settings.ts';
import { defineCommand } from '../command.ts';
import { writeMaskSheet } from '../mask-sheet.ts';
import { dataOptions } from '../options.ts';
import { print } from '../ui/output.ts';
import { pluginsText } from '../ui/plugins-text.ts';
import { createProgress } from '../ui/progress.ts';
import { table } from '../ui/table.ts';
import { textWidth } from '../ui/wrap.ts';

const mostRows = 30;
const mostFindings = 20;
/** Findings that say the same are folded from here on. */
const mostAlike = 3;
const mostFolded = 6;

export const datasetCheck = defineCommand({
  name: 'dataset check',
  summary: 'Open every image and mask of a dataset and say what is there and what is wrong.',
  args: ['DATA'],
  options: {
    layout: dataOptions.layout,
    masks: dataOptions.masks,
    'label-from': dataOptions['label-from'],
    border: dataOptions.border,
    objects: {
      type: 'string',
      choices: objectChoices,
      describe: 'of several objects in a picture: the largest, all of its class as one, or each by itself',
      default: 'largest',
    },
    model: {
      type: 'string',
      value: 'MODEL',
      multiple: true,
      describe: 'also say which classes meet no output of this model, with a labelMap to paste',
    },
    sheet: {
      type: 'string',
      value: 'FILE',
      describe: 'write doubtful masks, the worst first, as a .jpg, .png or .html',
    },
    'max-pixels': dataOptions['max-pixels'],
  },
  examples: [
    'sceneshift dataset check photos/',
    'sceneshift dataset check manifest.csv --border background --json',
    'sceneshift dataset check flat/ --label-from name --model net.onnx --sheet doubtful.html',
  ],
  async run(
    { layout, masks, border, objects, model, sheet, 'label-from': labelFrom, 'max-pixels': maxPixels, json },
    [data],
  ) {
    parseConfig({ maxPixels }, 'the command line');
    const dataset = await openConfiguredDataset({ data, layout, masks, labelFrom, objects: objects as ObjectChoice });
    const labels = await meetModels(model ?? [], dataset);
    const progress = createProgress({ title: 'check', noun: 'images', total: dataset.samples.length });
    const report = await checkDataset(dataset, {
      border: border as BorderPolicy | undefined,
      maxPixels,
      concurrency: availableParallelism() + 1,
      onProgress: progress.update,
    });
    progress.finish();
    const mend = mendCommand(data, { layout, masks });
    if (sheet) await writeMaskSheet(sheet, dataset, report.doubtfulMasks, mend);
    print(json, { ...report, ...(labels.length && { models: labels }), ...pluginsRecord() }, () =>
      describe(report, labels, data, { sheet, mend }),
    );
    return report.usable ? exitCodes.done : exitCodes.failed;
  },
});

interface ModelLabels {
  readonly model: string;
  readonly unmatched: readonly UnmatchedClass[];
}

/** The same match that planning and running make. */
async function meetModels(specs: readonly string[], dataset: Dataset): Promise<ModelLabels[]> {
  const { describeModel } = await import('../../models/open.ts');
  const found: ModelLabels[] = [];
  for (const spec of specs) {
    const described = await describeModel(spec, { classes: dataset.classes });
    const description = assumeClassOrder(described, dataset.classes);
    found.push({ model: description.name, unmatched: unmatchedClasses(dataset.samples, { description }) });
  }
  return found;
}

function labelLines(labels: readonly ModelLabels[]): string {
  return labels
    .map(({ model, unmatched }) =>
      unmatched.length ? describeUnmatched(unmatched, model).join('\n') : `✓ Every class meets an output of ${model}`,
    )
    .join('\n\n');
}

function describe(
  report: DatasetReport,
  labels: readonly ModelLabels[],
  data: string,
  { sheet, mend }: { sheet: string | undefined; mend: string },
): string {
  const { samples, classes, layout, problems, warnings, notes } = report;
  const title = `${data}: ${samples} samples${classes.length ? ` of ${classes.length} classes` : ', no labels'} (${layout})`;
  return [
    title,
    classTable(report),
    facts(report),
    pluginsText(),
    duplicateLines(report),
    differenceLines(report),
    doubtLines(report, sheet),
    mendLines(report, mend),
    labelLines(labels),
    notes.map((note) => wrap(`• ${note}`, 2)).join('\n'),
    findingLines('?', 'doubtful', warnings),
    findingLines('✗', 'cannot be used', problems),
    verdict(report),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function classTable({ classes, unlabelled }: DatasetReport): string {
  if (!classes.length) return '';
  const shown = classes.slice(0, mostRows);
  const lines = table(
    shown,
    [
      { title: 'class', flexible: true, cell: ({ label, name }) => (name === label ? label : `${name} (${label})`) },
      { title: 'samples', align: 'right', cell: (row) => String(row.samples) },
      { title: 'with mask', align: 'right', cell: ({ withMask }) => String(withMask) },
    ],
    textWidth(),
  );
  const more = [
    classes.length > shown.length && `… and ${classes.length - shown.length} classes more; --json lists all`,
    unlabelled > 0 && `${unlabelled} samples have no label`,
  ].filter(Boolean);
  return [lines, ...more].join('\n');
}

function facts({ images, masks, splits, scenarios, imagenet }: DatasetReport): string {
  const counts = (record: Readonly<Record<string, number>>) =>
    Object.entries(record)
      .sort((a, b) => b[1] - a[1])
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
  const rows: [string, string][] = [['images', counts(images.formats) || 'none can be read']];
  if (images.width && images.height)
    rows.push(['sizes', `width ${range(images.width)}, height ${range(images.height)} px`]);
  rows.push([
    'masks',
    masks.found
      ? `${masks.found}${masks.missing ? `, missing for ${masks.missing}` : ''}: ${counts(masks.encodings) || 'none can be read'}`
      : 'none',
  ]);
  if (masks.share) {
    const { min, q25, median, q75, max } = masks.share;
    rows.push(['object', `${[min, q25, median, q75, max].map((share) => percentOf(share)).join(' · ')} of the image`]);
    rows.push(['', '(least, lower quarter, median, upper quarter, most)']);
  }
  if (masks.encodings.trimap || masks.encodings.palette)
    rows.push(['border', borderWords[masks.border] ?? masks.border]);
  if (Object.keys(splits).length) rows.push(['splits', counts(splits)]);
  if (Object.keys(scenarios).length) rows.push(['scenarios', counts(scenarios)]);
  if (imagenet)
    rows.push([
      'labels',
      `${imagenet.known} are names of ImageNet-1k${imagenet.ambiguous.length ? `, ambiguous: ${imagenet.ambiguous.join(', ')}` : ''}${imagenet.unknown.length ? `, not: ${imagenet.unknown.slice(0, 5).join(', ')}` : ''}`,
    ]);
  return rows.map(([name, text]) => wrap(`${name.padEnd(10)} ${text}`, 11)).join('\n');
}

const borderWords: Record<string, string> = {
  ignore: 'uncertain pixels are object for edits and left out of comparisons',
  object: 'uncertain pixels are object',
  background: 'uncertain pixels are background',
};

const range = ({ min, median, max }: { min: number; median: number; max: number }) =>
  min === max ? `${min}` : `${min} to ${max} (median ${Math.round(median)})`;

function duplicateLines({ duplicates }: DatasetReport): string {
  if (!duplicates.length) return '';
  const lines = duplicates
    .slice(0, mostFindings)
    .map(({ same, files, labels }) =>
      wrap(
        `  ${files.join(' = ')}${same === 'pixels' ? ' (same pixels, other file)' : ''}${labels.length > 1 ? ` — under ${labels.length} labels: ${labels.join(', ')}` : ''}`,
        4,
      ),
    );
  return [`Pictures that are there more than once: ${duplicates.length}`, ...lines, ...rest(duplicates.length)].join(
    '\n',
  );
}

const differenceWords: Record<string, string> = {
  orientation: 'turned by EXIF',
  profile: 'colour profile other than sRGB',
  cmyk: 'CMYK',
  alpha: 'transparency',
  'sixteen-bit-grey': '16-bit grey',
};

function differenceLines({ decodeDifferences: list }: DatasetReport): string {
  if (!list.length) return '';
  const lines = list
    .slice(0, mostFindings)
    .map(({ file, differences }) =>
      wrap(`  ${file}: ${differences.map((name) => differenceWords[name] ?? name).join(', ')}`, 4),
    );
  return [
    `Images that decode: corrected and decode: pillow read differently: ${list.length}`,
    ...lines,
    ...rest(list.length),
  ].join('\n');
}

function doubtLines({ doubtfulMasks: list, masks }: DatasetReport, sheet: string | undefined): string {
  if (!list.length) return '';
  const lines = list
    .slice(0, mostFolded)
    .map(({ sample, doubts }) => wrap(`  ${sample}: ${doubts.map(({ message }) => message).join('; ')}`, 4));
  const more = list.length > mostFolded ? [`  … and ${list.length - mostFolded} more`] : [];
  const where = sheet ? `on ${sheet}` : '--sheet FILE.html shows them';
  return [`Masks to look at, the worst first: ${list.length} of ${masks.usable} (${where})`, ...lines, ...more].join(
    '\n',
  );
}

/** Opens the studio where these masks are, the worst first. */
function mendCommand(data: string, { layout, masks }: { layout?: string; masks?: string }): string {
  const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, shellWord(value)]);
  return ['sceneshift studio', shellWord(data), ...option('--layout', layout), ...option('--masks', masks)]
    .concat('--annotate', '--open')
    .join(' ');
}

/** As a shell takes it for one word. */
const shellWord = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function mendLines({ doubtfulMasks, masks, warnings }: DatasetReport, mend: string): string {
  const blank = warnings.some(({ problem }) => problem === 'mask-empty' || problem === 'mask-full');
  if (!doubtfulMasks.length && !masks.missing && !blank) return '';
  return wrap(`${masks.missing ? 'Draw or mend masks' : 'Mend masks'} by hand, the worst first: ${mend}`, 4);
}

/** The same doubt about many files is one line with a count; numbers in it may differ. */
function findingLines(mark: string, title: string, list: readonly CheckFinding[]): string {
  if (!list.length) return '';
  const groups = new Map<string, CheckFinding[]>();
  for (const finding of list) {
    const key = `${finding.problem} ${finding.message.replaceAll(/\d+/g, '#').replaceAll(/'[^']*'/g, "'…'")}`;
    const known = groups.get(key);
    if (known) known.push(finding);
    else groups.set(key, [finding]);
  }
  const lines = [...groups.values()].flatMap((group) =>
    group.length > mostAlike
      ? [wrap(`${mark} ${group.length} ×: ${group[0].message} (${group[0].hint}): ${namesOf(group)}`, 4)]
      : group.map(({ file, message, hint }) => wrap(`${mark} ${file}: ${message} (${hint})`, 4)),
  );
  return [`${list.length} ${title}:`, ...lines.slice(0, mostFindings), ...rest(lines.length)].join('\n');
}

const namesOf = (group: readonly CheckFinding[]) =>
  `${group
    .slice(0, 3)
    .map(({ file }) => file)
    .join(', ')}${group.length > 3 ? ', …' : ''}`;

const rest = (count: number) =>
  count > mostFindings ? [`  … and ${count - mostFindings} more; --json lists all`] : [];

function verdict({ samples, usable, lost, warnings }: DatasetReport): string {
  if (!usable) return '✗ Nothing here can be used.';
  const without = warnings.filter(({ problem }) => problem === 'mask-empty' || problem === 'mask-full').length;
  const doubt = without > 0 ? `, ${without} of them only where no mask is needed` : '';
  return usable === samples + lost
    ? `✓ All ${samples} samples can be used${doubt}.`
    : `${usable} of ${samples + lost} samples can be used${doubt}.`;
}

/** Breaks at spaces; a file name too long for the line stays whole. */
function wrap(text: string, indent: number): string {
  const lines = [''];
  for (const word of text.split(/(?<=\S) /)) {
    const last = lines[lines.length - 1];
    if (last && [...last].length + [...word].length + 1 > textWidth()) lines.push(' '.repeat(indent) + word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join('\n');
}
