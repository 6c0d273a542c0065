import { fixedOf, percentOf } from '../../contracts/numbers.ts';
import { changedLevels } from '../../generate/quality/object-kept.ts';
import type { MeasuredObject } from '../../run/object-kept.ts';

/** How far objects were kept, and where least. */
export function objectsText(objects: readonly MeasuredObject[]): string {
  const average = (of: (one: MeasuredObject) => number) =>
    objects.reduce((sum, one) => sum + of(one), 0) / objects.length;
  const worst = objects.reduce((least, one) => (one.changedShare > least.changedShare ? one : least));
  return [
    `object kept: ${objects.length} pictures beside their photographs, sure pixels alone`,
    `  differ by ${fixedOf(
      average(({ mean }) => mean),
      1,
    )} of 255 levels on average, by ${Math.max(...objects.map(({ largest }) => largest))} at most; ${percentOf(average(({ changedShare }) => changedShare))} of the pixels by more than ${changedLevels}`,
    ...(worst.changedShare > 0
      ? [`  the most changed: ${worst.id}, ${percentOf(worst.changedShare)} of its pixels`]
      : []),
  ].join('\n');
}
