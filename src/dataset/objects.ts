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
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y, width, height] of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return [left, top, right - left, bottom - top];
}
