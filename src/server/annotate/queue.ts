import type { Sample } from '../../contracts/sample.ts';
import type { AnnotatedSample, AnnotateShow } from '../../contracts/studio/annotate.ts';
import { annotateShows } from '../../contracts/studio/annotate.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import { type Judgement, judgementOf } from './judge.ts';

/**
 * The pictures in the order in which they are shown: the worst first, as judged when they were first looked at, so that
 * a mended mask keeps its place and "previous" leads back to it.
 */
export interface MaskQueue {
  put(index: number, judgement: Judgement): void;
  setDrawn(index: number): void;
  isDrawn(index: number): boolean;
  shown(index: number): AnnotatedSample;
  list(show: AnnotateShow): number[];
  counts(): Record<AnnotateShow, number>;
  /** The neighbours of a picture, which itself may be no longer among those shown. */
  around(index: number, show: AnnotateShow): { previous?: number; next?: number; place?: number; of: number };
  readonly looked: number;
}

export function createQueue(samples: readonly Pick<Sample, 'id' | 'label' | 'mask'>[]): MaskQueue {
  const current = samples.map(({ mask }) => judgementOf(mask ? 'unlooked' : 'missing'));
  const first = [...current];
  const drawn = new Uint8Array(samples.length);
  let order: number[] | undefined;
  const looked = new Set<number>();

  const inOrder = () => {
    order ??= samples
      .map((_, i) => i)
      .sort((a, b) => first[b].weight - first[a].weight || (samples[a].id < samples[b].id ? -1 : 1));
    return order;
  };
  const isAmong = (index: number, show: AnnotateShow): boolean => {
    const { state } = current[index];
    switch (show) {
      case 'all':
        return true;
      case 'drawn':
        return drawn[index] === 1;
      case 'missing':
        return state === 'missing' || state === 'unusable';
      case 'doubtful':
        return state === 'doubtful';
      case 'todo':
        return state === 'missing' || state === 'unusable' || state === 'doubtful';
    }
  };

  return {
    put(index, judgement) {
      if (first[index].state === 'unlooked') {
        first[index] = judgement;
        order = undefined;
      }
      current[index] = judgement;
      looked.add(index);
    },
    setDrawn(index) {
      // Something lies there that has not been looked at, though the dataset itself has no mask.
      if (!drawn[index] && !looked.has(index)) {
        current[index] = judgementOf('unlooked');
        first[index] = current[index];
        order = undefined;
      }
      drawn[index] = 1;
    },
    isDrawn: (index) => drawn[index] === 1,
    shown: (index) => ({
      id: samples[index].id,
      label: samples[index].label ?? null,
      labelName: samples[index].label === undefined ? null : shownLabel(samples[index].label),
      state: current[index].state,
      doubts: current[index].doubts,
      drawn: drawn[index] === 1,
    }),
    list: (show) => inOrder().filter((index) => isAmong(index, show)),
    counts: () =>
      Object.fromEntries(
        annotateShows.map((show) => [show, samples.reduce((sum, _, i) => sum + Number(isAmong(i, show)), 0)]),
      ) as Record<AnnotateShow, number>,
    around(index, show) {
      const among = inOrder().filter((each) => each === index || isAmong(each, show));
      const place = among.indexOf(index);
      return {
        previous: among[place - 1],
        next: among[place + 1],
        ...(isAmong(index, show) && { place: place + 1 }),
        of: isAmong(index, show) ? among.length : among.length - 1,
      };
    },
    get looked() {
      return looked.size;
    },
  };
}
