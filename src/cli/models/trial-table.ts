import { SampleError, UserError } from '../../contracts/errors.ts';
import { equalsP, hundredthsOf, percentOf } from '../../contracts/numbers.ts';
import type { Dataset, Sample } from '../../contracts/sample.ts';
import { selectSamples } from '../../dataset/splits.ts';
import { type DecodeMode, decodeImage } from '../../image/decode.ts';
import { type LabelMap, resolveTargets } from '../../labels/targets.ts';
import type { ModelDescription } from '../../models/define.ts';
import { assumeClassOrder } from '../../models/labels.ts';
import type { OnnxDescription } from '../../models/onnx/describe.ts';
import { shortGeometryText, shortValuesText } from '../../models/record/preprocessing-text.ts';
import {
  judgeTrials,
  type LabelledPicture,
  type PreprocessingTrial,
  tryPreprocessings,
} from '../../models/trials/try-preprocessings.ts';
import { openConfiguredDataset } from '../../run/configured-dataset.ts';
import { createProgress } from '../ui/progress.ts';
import { table } from '../ui/table.ts';
import { onnxFacts } from './inspect-model.ts';

export interface TrialInput {
  readonly data: string;
  readonly layout?: string;
  readonly decode: DecodeMode;
  readonly maxPixels: number;
  readonly labelMap?: LabelMap;
  readonly photographs: number;
  readonly threads: number;
}

/** Labelled photographs of a dataset, evenly from its classes, under every plausible preprocessing. */
export async function runTrials(described: ModelDescription, input: TrialInput): Promise<PreprocessingTrial[]> {
  if (described.kind !== 'classifier' || !onnxFacts(described))
    throw new UserError(
      `--data tries preprocessings on ONNX classifiers; ${described.name} is a ${described.kind}, whose preprocessing is its own`,
    );
  const dataset = await openConfiguredDataset(input);
  const pictures = await readablePictures(dataset, assumeClassOrder(described, dataset.classes), input);
  if (!pictures.length)
    throw new UserError(
      `${input.data} has no readable photograph whose label ${described.name} knows; sceneshift dataset check ${input.data} says why`,
    );
  const bar = createProgress({ title: 'preprocessings', noun: 'answers', total: 0 });
  const trials = await tryPreprocessings(described as OnnxDescription, pictures, {
    threads: input.threads,
    onProgress: bar.update,
  });
  bar.finish();
  return trials;
}

/** Photographs as they are: those that show a scenario already would blame the preprocessing for it. */
async function readablePictures(
  dataset: Dataset,
  description: ModelDescription,
  { decode: mode, maxPixels, labelMap, photographs }: TrialInput,
): Promise<LabelledPicture[]> {
  const originals = dataset.samples.filter(({ scenario }) => !scenario || scenario === 'original');
  const known = originals.flatMap((sample) => {
    const targets = targetsOf(sample, description, labelMap);
    return targets.length ? [{ ...sample, right: targets }] : [];
  });
  const load = ({ image }: Sample) => decodeImage(image, { mode, maxPixels, flatten: [255, 255, 255] });
  const pictures: LabelledPicture[] = [];
  for (const sample of selectSamples(known, { limit: photographs })) {
    const readable = await load(sample).then(
      () => true,
      (error: unknown) => {
        if (error instanceof SampleError) return false;
        throw error;
      },
    );
    if (readable) pictures.push({ load: () => load(sample), targets: sample.right });
  }
  return pictures;
}

function targetsOf(sample: Sample, description: ModelDescription, labelMap: LabelMap | undefined): number[] {
  try {
    return resolveTargets({ description, labelMap, sample });
  } catch (error) {
    if (error instanceof SampleError) return [];
    throw error;
  }
}

const shownRows = 12;

/** The best ones, the stated one wherever it ended, and what follows. */
export function trialsText(trials: readonly PreprocessingTrial[], described: ModelDescription): string {
  const shown = trials.filter((trial, i) => i < shownRows || trial.stated);
  const rows = table(shown, [
    { title: 'right', align: 'right', cell: ({ accuracy }) => percentOf(accuracy) },
    { title: '95 %', cell: ({ ci: [low, high] }) => `${hundredthsOf(low, 0)} to ${percentOf(high, 0)}` },
    {
      title: 'values',
      flexible: true,
      cell: ({ preprocessing }) => `${preprocessing.channels} ${shortValuesText(preprocessing)}`,
    },
    { title: 'picture', flexible: true, cell: ({ preprocessing }) => shortGeometryText(preprocessing) },
    {
      title: '',
      cell: ({ stated, pAgainstBest }) => (stated ? '← as it is run' : pAgainstBest < 0.05 ? '' : '≈ best'),
    },
  ]);
  const { best, better, stated, verdict } = judgeTrials(trials, described.outputCount ?? 2);
  const photographs = `${best.n} photograph${best.n === 1 ? '' : 's'}`;
  const judged = {
    'none works': `! Under none of ${trials.length} preprocessings is ${described.name} right more often than guessing on ${photographs}: look at the labels and the order of the outputs first`,
    'stated stands': `✓ Nothing speaks against the preprocessing it is run with: right on ${percentOf(stated.accuracy)} of ${photographs}, the best of ${trials.length} on ${percentOf(best.accuracy)}, no more than chance apart`,
    'another is better': `! Another preprocessing is right on ${percentOf(better.accuracy)} of ${photographs}, the one it is run with on ${percentOf(stated.accuracy)} (${equalsP(stated.pCorrected)}, corrected for ${trials.length} trials). Write into ${recordName(described.source)} beside the model:\n${JSON.stringify(better.record)}`,
  }[verdict];
  return [
    `Preprocessings on ${photographs}, best first (${shown.length} of ${trials.length} shown):`,
    rows,
    judged,
  ].join('\n');
}

const recordName = (source: string) =>
  `${source
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.onnx$/i, '')}.json`;
