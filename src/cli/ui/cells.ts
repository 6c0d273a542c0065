import { hundredthsOf, probabilityOf, rangeOf } from '../../contracts/numbers.ts';
import { stars as starsOf } from '../../metrics/analyze/terms.ts';

/** Cells of the terminal's tables; nothing stands where there is no number, so that an empty column can be left out. */
export const range = (ci: readonly [number, number] | null | undefined): string =>
  ci ? rangeOf(ci, hundredthsOf) : '';
export const probability = (p: number | null | undefined): string => (typeof p === 'number' ? probabilityOf(p) : '');
export const stars = (p: number | null | undefined): string => starsOf(p ?? null) ?? '';
