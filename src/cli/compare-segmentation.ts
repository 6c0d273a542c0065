import type { SegmentationComparison, SegmentationDifference } from '../contracts/comparison.ts';
import { hundredthsOf, signedHundredthsOf } from '../contracts/numbers.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import { compareSegmentationPaths } from '../metrics/segmentation/compare-segmentation-paths.ts';
import { probability, range, stars } from './ui/cells.ts';
import { print } from './ui/output.ts';
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
  const comparisons = await compareSegmentationPaths(pathA, pathB, { models, seed, bootstrap });
  print(json, comparisons.length === 1 ? comparisons[0] : { comparisons }, () =>
    comparisons.map((comparison) => textOf(comparison)).join('\n\n'),
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
        { title: 'A %', align: 'right', cell: (row) => hundredthsOf(row.a) },
        { title: 'B %', align: 'right', cell: (row) => hundredthsOf(row.b) },
        { title: 'B − A', align: 'right', cell: (row) => signedHundredthsOf(row.difference) },
        { title: '95 %', cell: (row) => range(row.ci) },
        { title: 'P (Holm)', align: 'right', cell: (row) => probability(row.pHolm) },
        { title: '', cell: (row) => stars(row.pHolm) },
      ],
      width,
    ),
  ].join('\n');
}
