import type { SegmentationComparison, SegmentationDifference } from '../contracts/compare.ts';
import { expected, UserError } from '../contracts/errors.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import { compareSegmentation } from '../metrics/segmentation/compare.ts';
import { readRunSegmentation } from '../metrics/segmentation/read.ts';
import { print } from './ui/output.ts';
import { percent, probability, range, stars } from './ui/score.ts';
import { table } from './ui/table.ts';
import { textWidth, wrap } from './ui/wrap.ts';

interface Options {
  readonly json: boolean;
  readonly models: string | undefined;
  readonly seed: number;
  readonly bootstrap: number | undefined;
}

/** `compare` of runs whose models segment. */
export async function compareSegmentations(
  pathA: string,
  pathB: string | undefined,
  { json, models, seed, bootstrap }: Options,
): Promise<void> {
  const a = await readRunSegmentation(pathA);
  const b = pathB === undefined ? a : await readRunSegmentation(pathB);
  const [inA, inB] = [a, b].map((side) => side.text('model').levels);
  const comparisons = pairsOf(inA, inB, models, pathB !== undefined).map(
    ([first, second]): SegmentationComparison => ({
      a: { source: a.source, model: first },
      b: { source: b.source, model: second },
      segmentation: compareSegmentation({ table: a, model: first }, { table: b, model: second }, { seed, bootstrap }),
    }),
  );
  print(json, comparisons.length === 1 ? comparisons[0] : { comparisons }, () =>
    comparisons.map((comparison) => textOf(comparison)).join('\n\n'),
  );
}

function pairsOf(inA: string[], inB: string[], models: string | undefined, two: boolean): [string, string][] {
  if (models !== undefined) {
    const [first, second, ...more] = models.split(',').map((name) => name.trim());
    if (!first || !second || more.length) throw expected('two models, A,B', '--models', models);
    if (!inA.includes(first)) throw expected(`one of ${inA.join(', ')}`, 'the first of --models', first);
    if (!inB.includes(second)) throw expected(`one of ${inB.join(', ')}`, 'the second of --models', second);
    return [[first, second]];
  }
  const common = two ? inA.filter((model) => inB.includes(model)) : [];
  if (common.length) return common.map((model) => [model, model]);
  if (two && inA.length === 1 && inB.length === 1) return [[inA[0], inB[0]]];
  if (!two && inA.length === 2) return [[inA[0], inA[1]]];
  throw new UserError(
    `A has ${inA.join(', ')}${two ? `, B has ${inB.join(', ')}` : ''}; say which two with --models A,B`,
  );
}

const titles: Record<SegmentationDifference['measure'], string> = { iou: 'IoU', dice: 'Dice', boundaryF: 'boundary F' };

function textOf({ a, b, segmentation }: SegmentationComparison, width = textWidth()): string {
  return [
    wrap(`A: ${a.model} (${a.source}) · B: ${b.model} (${b.source})`, width, 2),
    table(
      segmentation,
      [
        { title: 'measure', cell: (row) => titles[row.measure] },
        { title: 'scenario', flexible: true, cell: (row) => row.scenario },
        { title: 'of', flexible: true, cell: (row) => shownLabel(row.class) },
        { title: 'pairs', align: 'right', cell: (row) => String(row.pairs) },
        { title: 'A %', align: 'right', cell: (row) => percent(row.a) },
        { title: 'B %', align: 'right', cell: (row) => percent(row.b) },
        { title: 'B − A', align: 'right', cell: (row) => `${row.difference > 0 ? '+' : ''}${percent(row.difference)}` },
        { title: '95 %', cell: (row) => range(row.ci) },
        { title: 'P (Holm)', align: 'right', cell: (row) => probability(row.pHolm) },
        { title: '', cell: (row) => stars(row.pHolm) },
      ],
      width,
    ),
  ].join('\n');
}
