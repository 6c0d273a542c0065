import { percentOf } from '../../contracts/numbers.ts';
import { type Mask, type Raster, sameSize } from '../../image/raster.ts';

/** How far a made picture differs from its photograph where the object surely is, in levels of 0 to 255. */
export interface ObjectChange {
  /** Sure pixels: wholly object, no uncertain border. */
  readonly pixels: number;
  /** Mean over pixels and channels. */
  readonly mean: number;
  readonly largest: number;
  /** Share of the pixels with a channel that differs by more than `changedLevels`. */
  readonly changedShare: number;
}

/** More than JPEG files, rounding and an autoencoder's round trip change in a picture that they leave alone. */
export const changedLevels = 24;
/** The most of an object that may have changed before the picture counts as broken. */
export const usualMostChanged = 0.2;

/** Null where no pixel of the mask is sure. */
export function objectChange(made: Raster, photograph: Raster, mask: Mask): ObjectChange | null {
  sameSize(made, photograph);
  sameSize(made, mask);
  let [pixels, sum, largest, changed] = [0, 0, 0, 0];
  for (let i = 0; i < mask.data.length; i++) {
    if (!isSure(mask, i)) continue;
    let most = 0;
    for (let at = 3 * i; at < 3 * i + 3; at++) {
      const difference = Math.abs(made.data[at] - photograph.data[at]);
      sum += difference;
      most = Math.max(most, difference);
    }
    pixels++;
    largest = Math.max(largest, most);
    if (most > changedLevels) changed++;
  }
  return pixels ? { pixels, mean: sum / (3 * pixels), largest, changedShare: changed / pixels } : null;
}

const isSure = ({ data, ignore, soft }: Mask, i: number): boolean =>
  data[i] === 255 && !ignore?.[i] && (soft === undefined || soft[i] === 255);

const lost = 'object not kept';

/** Why a picture is left out; nothing where the object was kept. */
export const objectLost = ({ changedShare }: ObjectChange, mostChanged = usualMostChanged): string | undefined =>
  changedShare > mostChanged
    ? `${lost} (${percentOf(changedShare)} of its sure pixels changed by more than ${changedLevels} levels, at most ${percentOf(mostChanged)})`
    : undefined;

/** Whether a picture was left out for that reason. */
export const isObjectLost = (reason: string): boolean => reason.startsWith(lost);
