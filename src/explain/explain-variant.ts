import type { SaliencyMethod, SaliencyRow } from '../contracts/saliency.ts';
import type { Mask, Raster } from '../image/raster.ts';
import type { Model } from '../models/define.ts';
import { randomFor } from '../stats/random.ts';
import { baselinePicture, blurred } from './baseline.ts';
import { createCanvas, enlarge } from './canvas.ts';
import { replacementCurve } from './curves.ts';
import type { OpenGraph } from './graph/open-graph.ts';
import { applyMethod } from './methods/apply.ts';
import { type AnswerBatch, createModelProbe, outputScore } from './model-probe.ts';
import { mapNumbers } from './numbers.ts';
import type { ExplainSettings } from './options.ts';

export interface VariantToExplain {
  readonly image: Raster;
  readonly mask: Mask | undefined;
  readonly sample: string;
  readonly scenario: string;
  readonly label: string | undefined;
  /** Accepted outputs. */
  readonly targets: readonly number[];
}

export interface ModelToExplain {
  readonly model: Pick<Model, 'name' | 'outputs' | 'batch' | 'preprocessing' | 'prepare'>;
  readonly answer: AnswerBatch;
  /** Names of the outputs. */
  readonly names: readonly string[];
  readonly method: SaliencyMethod;
  /** For methods that look inside. */
  readonly graph: OpenGraph | undefined;
}

export type ExplainedNumbers = Omit<SaliencyRow, 'model' | 'scenario' | 'sample' | 'group' | 'label' | 'layer'>;

export interface Explained {
  readonly numbers: ExplainedNumbers;
  /** In the variant's pixels; NaN where the network was shown nothing. */
  readonly map: Float32Array;
}

/** One model's map of one variant, and all numbers about it. */
export async function explainVariant(
  variant: VariantToExplain,
  { model, answer, names, method, graph }: ModelToExplain,
  { seed, settings }: { seed: number; settings: ExplainSettings },
): Promise<Explained> {
  const { image, mask, sample, scenario, label, targets } = variant;
  const canvas = createCanvas(image, model);
  const { picture } = canvas;
  const question = { sample, scenario, label, width: image.width, height: image.height };
  const probe = createModelProbe({ canvas, description: model, answer, question });
  const [scores] = await probe.scores([picture]);
  const best = scores.indexOf(Math.max(...scores));
  const outputs = settings.explained === 'truth' ? targets : [best];
  const scorePictures = (pictures: readonly Raster[]) => probe.classScores(pictures, outputs);
  const baseline = baselinePicture(picture, settings.baseline, canvas.preprocessing);
  const whole = outputScore(scores, outputs, model.outputs).probability;
  const { map, evaluations, reliability } = await applyMethod({
    method,
    settings,
    picture,
    baseline,
    outputs,
    whole,
    scorePictures,
    activate: graph && (async () => graph.reader.read(await canvas.prepare(picture), image)),
    tail: graph?.tail,
    batch: model.batch,
    // The same masks for every model, so that models are compared on the same questions.
    random: randomFor('explain', seed, sample, scenario),
  });
  const saliency = enlarge(map, picture.width, picture.height);
  const { steps } = settings;
  const deletion = await replacementCurve({ from: picture, to: baseline, saliency, steps, scorePictures });
  const insertion = await replacementCurve({ from: blurred(picture), to: picture, saliency, steps, scorePictures });
  const inVariant = canvas.toVariant(map);
  return {
    map: inVariant,
    numbers: {
      method,
      explained: settings.explained,
      class: settings.explained === 'truth' ? (label ?? '') : (names[best] ?? `output ${best}`),
      score: whole,
      correct: targets.includes(best),
      ...mapNumbers(inVariant, mask),
      deletion: deletion.area,
      insertion: insertion.area,
      evaluations,
      reliability,
    },
  };
}
