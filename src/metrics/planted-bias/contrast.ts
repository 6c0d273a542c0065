import { mean, variance } from '../../stats/moments.ts';
import { tQuantile } from '../../stats/student-t.ts';

/** A mean over images and training seeds, or the difference of two halves of the images, with its 95 % interval. */
export interface Contrast {
  readonly estimate: number;
  /** Without bounds where one image, of which nobody knows how others would differ, is all there is. */
  readonly ci: readonly [number, number];
  readonly df: number;
  /** The same for each training seed alone. */
  readonly each: readonly number[];
}

export interface ContrastOptions {
  /** One list per training seed: a value for every image, the same order in each. */
  readonly values: readonly (readonly number[])[];
  /** Which network each list belongs to; seeds are compared within one network. */
  readonly families: readonly string[];
  /**
   * Per image, the stratum it was drawn in (its class and kind of place); differences between strata are not due to
   * chance.
   */
  readonly strata: readonly string[];
  /**
   * Per image; the mean of those that are true is subtracted from the mean of the others. Absent: the mean over all
   * images.
   */
  readonly against?: readonly boolean[];
}

/**
 * Both the images and the training runs are samples, so both add to the variance: images by the spread of their mean over
 * the seeds within their stratum, seeds by the spread of their mean over the images, pooled within networks. Degrees of freedom by Satterthwaite
 * (1946). Noise of single answers is in both parts, so the interval is a little wide, never narrow.
 */
export function contrast({ values, families, strata, against }: ContrastOptions): Contrast {
  const images = values[0].map((_, i) => mean(values.map((list) => list[i])));
  const of = (list: readonly number[]) =>
    against ? mean(list.filter((_, i) => !against[i])) - mean(list.filter((_, i) => against[i])) : mean(list);
  const each = values.map(of);
  const parts = stratifiedParts(images, strata, against);
  const groups = [...new Set(families)].map((family) => each.filter((_, i) => families[i] === family));
  const df = each.length - groups.length;
  if (df > 0) {
    const within = groups.filter(({ length }) => length > 1);
    const squares = within.reduce((sum, group) => sum + variance(group) * (group.length - 1), 0);
    parts.push({ variance: squares / df / each.length, df });
  }
  const total = parts.reduce((sum, part) => sum + part.variance, 0);
  const freedom = total ** 2 / parts.reduce((sum, part) => sum + part.variance ** 2 / part.df, 0);
  const isKnown = parts.every((part) => part.df > 0);
  const half = !isKnown ? Number.POSITIVE_INFINITY : total > 0 ? tQuantile(0.975, freedom) * Math.sqrt(total) : 0;
  const estimate = of(images);
  return { estimate, ci: [estimate - half, estimate + half], df: freedom, each };
}

/** What each stratum of a half adds to the variance of the half's mean: (n_h / n)² s_h² / n_h (Cochran 1977, §5.4). */
function stratifiedParts(images: readonly number[], strata: readonly string[], against?: readonly boolean[]) {
  return [false, true].flatMap((side) => {
    const half = images.flatMap((value, i) =>
      (against?.[i] ?? false) === side ? [{ value, stratum: strata[i] }] : [],
    );
    const groups = [...new Set(half.map(({ stratum }) => stratum))].map((name) =>
      half.filter(({ stratum }) => stratum === name).map(({ value }) => value),
    );
    return collapsed(groups).map((own) => ({
      variance: ((own.length / half.length) ** 2 * variance(own)) / own.length,
      df: own.length - 1,
    }));
  });
}

/**
 * One image tells no spread. Strata of one are put together, a single one of these with the next smallest, which makes the interval
 * wider, never narrower (Cochran 1977, §5A.12).
 */
function collapsed(groups: readonly number[][]): number[][] {
  const alone = groups.filter(({ length }) => length === 1).length;
  if (!alone) return [...groups];
  const bySize = groups.toSorted((a, b) => a.length - b.length);
  const together = Math.max(2, alone);
  return [bySize.slice(0, together).flat(), ...bySize.slice(together)];
}
