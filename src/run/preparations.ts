import type { Raster } from '../image/raster.ts';
import type { Model, Prepared } from '../models/define.ts';
import { isFromOutside } from '../models/kinds/index.ts';

export interface Preparations {
  /** The next variant: what was prepared for the last one is not handed out again. */
  next(): void;
  prepare(model: number, image: Raster): Promise<Prepared>;
  /** Answered: buffers that no other model waits for go back to be filled again. */
  release(model: number, batch: readonly Prepared[]): void;
}

/**
 * Prepares a variant once for all models that want the same numbers, not once for each. It belongs to one task: two tasks
 * of a thread take turns at every `await`, and one must never be handed what the other has prepared.
 */
export function createPreparations(models: readonly Model[], mayKeepPictures = isFromOutside): Preparations {
  // What goes to the main thread is given away there, so nobody else may hold it.
  const shares = ({ runsIn, preparation }: Model) => runsIn === 'worker' && preparation !== undefined;
  const first = models.map((model, i) =>
    shares(model) ? models.findIndex((other) => shares(other) && other.preparation === model.preparation) : i,
  );
  // A plugin may keep the picture or hand it on, and the next one is written over it.
  const shown = (model: Model, image: Raster): Raster =>
    mayKeepPictures(model) ? { ...image, data: image.data.slice() } : image;
  const current = new Map<number, Prepared>();
  const uses = new Map<Prepared, number>();
  return {
    next() {
      for (const [maker, prepared] of current) if (!uses.has(prepared)) models[maker].recycle?.([prepared]);
      current.clear();
    },
    async prepare(model, image) {
      const maker = first[model];
      const prepared = current.get(maker) ?? (await models[maker].prepare(shown(models[maker], image)));
      current.set(maker, prepared);
      uses.set(prepared, (uses.get(prepared) ?? 0) + 1);
      return prepared;
    },
    release(model, batch) {
      for (const prepared of batch) {
        const left = (uses.get(prepared) ?? 1) - 1;
        if (left > 0) uses.set(prepared, left);
        else {
          uses.delete(prepared);
          if (current.get(first[model]) !== prepared) models[first[model]].recycle?.([prepared]);
        }
      }
    },
  };
}
