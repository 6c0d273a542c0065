import type { ObjectChoice } from './define.ts';

/** One thing annotated in a picture. */
export interface Annotated {
  readonly label: string;
  readonly areaPx: number;
}

/**
 * Which of a picture's objects become samples, each a list of objects whose masks are joined. A picture counts once unless
 * told otherwise: a classifier sees all of it, and the largest object is the one its label names most often.
 */
export function chooseObjects<T extends Annotated>(objects: readonly T[], choice: ObjectChoice = 'largest'): T[][] {
  if (!objects.length) return [];
  if (choice === 'each') return objects.map((object) => [object]);
  const largest = objects.reduce((best, object) => (object.areaPx > best.areaPx ? object : best));
  return choice === 'class' ? [objects.filter(({ label }) => label === largest.label)] : [[largest]];
}

export type Box = [x: number, y: number, width: number, height: number];

/** The box around several. */
export function unionBox(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(([x]) => x));
  const top = Math.min(...boxes.map(([, y]) => y));
  const right = Math.max(...boxes.map(([x, , width]) => x + width));
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height));
  return [left, top, right - left, bottom - top];
}
