import { hundredthsOf, percentOf } from '../../contracts/numbers.ts';
import { components } from '../../image/mask-parts.ts';
import { uncertainPixels } from '../../image/matte/matte.ts';
import type { Mask } from '../../image/raster.ts';

export const maskDoubtKinds = ['tiny', 'pieces', 'uncertain'] as const;
export type MaskDoubtKind = (typeof maskDoubtKinds)[number];

/** A reason to look at a mask before believing what is measured with it; it is used all the same. */
export interface MaskDoubt {
  readonly kind: MaskDoubtKind;
  readonly message: string;
  /** From 0, just beyond the limit, to 1; for showing the worst first. */
  readonly severity: number;
}

/** An object of less than this share of the image leaves a network little to see. */
const tinyShare = 0.01;
/** A part counts as a piece from this share of the object on; smaller ones are specks. */
const pieceShare = 0.01;
const manyPieces = 4;
const manySpecks = 40;
/** More undecided than decided: the band decides what is measured. One in twenty of the Oxford-IIIT Pet trimaps. */
const uncertainShareLimit = 0.5;

/** What may be wrong with a mask's shape: tiny, in many pieces, or mostly undecided. The worst first. */
export function maskDoubts(mask: Mask): MaskDoubt[] {
  const { data } = mask;
  const undecidedAt = uncertainPixels(mask);
  let object = 0;
  let uncertain = 0;
  for (let i = 0; i < data.length; i++) {
    if (undecidedAt?.[i]) uncertain++;
    else if (data[i]) object++;
  }
  const whole = object + uncertain;
  if (!whole) return [];
  return [...tiny(whole / data.length), ...pieces(mask), ...undecided(uncertain / whole)].sort(
    (a, b) => b.severity - a.severity,
  );
}

function tiny(share: number): MaskDoubt[] {
  if (share >= tinyShare) return [];
  const percent = share < 0.0005 ? 'less than 0.1' : hundredthsOf(share);
  return [{ kind: 'tiny', message: `the object is ${percent} % of the image`, severity: 1 - share / tinyShare }];
}

function pieces(mask: Mask): MaskDoubt[] {
  const { areas, count } = components(mask);
  const whole = mask.data.length - areas[0];
  const parts = [...areas.subarray(1)].filter((area) => area >= pieceShare * whole);
  const specks = count - parts.length;
  if (parts.length < manyPieces && specks < manySpecks) return [];
  const largest = Math.max(0, ...parts) / whole;
  const found = [
    ...(parts.length >= manyPieces
      ? [`the object is in ${parts.length} pieces, the largest ${percentOf(largest, 0)} of it`]
      : []),
    ...(specks >= manySpecks ? [`${specks} specks lie apart from it`] : []),
  ];
  return [{ kind: 'pieces', message: found.join('; '), severity: 1 - largest }];
}

function undecided(share: number): MaskDoubt[] {
  if (share <= uncertainShareLimit) return [];
  return [
    {
      kind: 'uncertain',
      message: `${percentOf(share, 0)} of the object is uncertain border`,
      severity: (share - uncertainShareLimit) / (1 - uncertainShareLimit),
    },
  ];
}
