import { SampleError, UserError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import type { Raster } from '../image/raster.ts';
import { resolveTargets } from '../labels/targets.ts';
import { openModel } from '../models/open.ts';
import type { PaintingOptions } from './painting-options.ts';
import { toPredictionRow } from './rows.ts';

/** A model that is asked, before the others, how far it believes in the truth. */
export interface Surrogate {
  /** Its probability of the sample's label, picture by picture. */
  believe(pictures: readonly Raster[], sample: Sample): Promise<number[]>;
}

export async function openSurrogate({ surrogate, labelMap, threads = 1 }: PaintingOptions): Promise<Surrogate> {
  if (!surrogate)
    throw new UserError('An adversarial background needs a surrogate model to be searched against; give a --model');
  const { spec, description } = surrogate;
  if (description.kind !== 'classifier' && description.kind !== 'clip')
    throw new UserError(
      `${description.name} cannot be a surrogate: adversarial backgrounds need a classifier's probabilities`,
    );
  const model = await openModel(spec, { described: description, threads });
  return {
    async believe(pictures, sample) {
      const targets = resolveTargets({ description, labelMap, sample });
      const beliefs: number[] = [];
      for (let start = 0; start < pictures.length; start += model.batch) {
        const part = pictures.slice(start, start + model.batch);
        const prepared = [];
        for (const picture of part) prepared.push(await model.prepare(picture));
        const questions = part.map(({ width, height }) => ({
          sample: sample.id,
          scenario: '',
          label: sample.label,
          width,
          height,
        }));
        for (const answer of await model.answer(prepared, questions)) {
          const map = { outputs: model.outputs, own: targets, names: [] };
          const row = toPredictionRow(answer, { model: model.name, scenario: '', sample, fold: -1, targets, map });
          if (row.probabilityTruth === null)
            throw new SampleError('model-failed', `${model.name} gives no probabilities to search by`);
          beliefs.push(row.probabilityTruth);
        }
      }
      return beliefs;
    },
  };
}
