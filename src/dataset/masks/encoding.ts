import type { MaskEncoding } from '../../contracts/sample.ts';
import { type MaskLook, onGreySteps } from './look.ts';
import { vocIndexOfColour } from './voc-colours.ts';

/** Encodings a file can have, the likelier first where several fit. */
const fileEncodings = [
  'alpha',
  'red-on-black',
  '0/1',
  '0/255',
  'trimap',
  'palette',
  'class-index',
] as const satisfies readonly MaskEncoding[];
type FileEncoding = (typeof fileEncodings)[number];

const within = (levels: readonly number[], allowed: readonly number[]) =>
  levels.every((level) => allowed.includes(level));
const isMiddle = (level: number) => level >= 126 && level <= 129;
const isTrimapGrey = (level: number) => level === 0 || level === 255 || isMiddle(level);
/** Few enough values to be a label map, and not only 0 and 255. */
const isLabelMap = ({ levels, many }: MaskLook) =>
  !many && levels.length <= 128 && (levels.length < 2 || levels.some((level) => level !== 0 && level !== 255));
const isBlank = ({ kind, levels }: MaskLook) => kind !== 'index' && levels.length === 1 && levels[0] === 0;

/** Whether a file can be read in an encoding; an empty mask (all 0) can be read in any of its kind. */
export function fits(encoding: MaskEncoding, look: MaskLook): boolean {
  const { kind, levels, many } = look;
  const blank = isBlank(look);
  switch (encoding) {
    case 'alpha':
      return look.hasAlpha;
    case 'red-on-black':
      if (look.alphaDecides) return false;
      if (kind === 'index') return (look.colours ?? []).every((colour) => (colour & 0xffff) === 0);
      return kind === 'colour' ? look.clearShare >= 0.995 : blank;
    case '0/1':
      return kind === 'grey' && !many && within(levels, [0, 1]) && !look.alphaDecides;
    case '0/255':
      if (kind !== 'grey' || look.alphaDecides) return false;
      // A middle grey alone is a trimap's border.
      return look.soft || (!many && (within(levels, [0, 255]) || (onGreySteps(levels) && !levels.every(isTrimapGrey))));
    case 'trimap':
      if (kind !== 'grey' || many || look.alphaDecides) return false;
      return within(levels, [1, 2, 3]) || levels.every(isTrimapGrey);
    case 'palette':
      if (look.alphaDecides) return false;
      return kind === 'index' || (kind === 'colour' && !many && levels.length <= 64) || blank;
    case 'class-index':
      return kind === 'grey' && !look.alphaDecides && isLabelMap(look);
    case 'imagenet-s':
      return kind !== 'index';
    default:
      return false;
  }
}

/** The likeliest encoding of one file by itself; undefined: it does not look like a mask. */
export function ownEncoding(look: MaskLook): FileEncoding | undefined {
  const { kind, levels } = look;
  if (look.alphaDecides) return 'alpha';
  if (isBlank(look)) return '0/255';
  if (kind === 'grey') {
    // Oxford's trimaps have no 0; others have a middle grey between black and white.
    const trimap = within(levels, [1, 2, 3]) ? levels.length > 1 : levels.includes(255) && levels.some(isMiddle);
    return fileEncodings.find(
      (encoding) => (encoding === 'trimap' ? trimap : true) && isGrey(encoding) && fits(encoding, look),
    );
  }
  // The colours of VOC's first classes are shades of red too; only full red is V7's.
  const colours = kind === 'index' ? (look.colours ?? []) : levels;
  if (!look.many && colours.every((colour) => vocIndexOfColour.has(colour))) return 'palette';
  if (fits('red-on-black', look)) return 'red-on-black';
  return fits('palette', look) ? 'palette' : undefined;
}

const isGrey = (encoding: FileEncoding) => ['0/1', '0/255', 'trimap', 'class-index'].includes(encoding);

export interface DatasetEncoding {
  /** What most of the masks are; undefined: they do not look like masks. */
  readonly encoding: FileEncoding | undefined;
  /** Files that it does not fit, by what they look like themselves. */
  readonly exceptions: ReadonlyMap<FileEncoding | 'unknown', number>;
}

/**
 * One encoding for a dataset's masks, from a sample of them: the one that most files have by themselves, so that a trimap
 * without a border pixel, an empty mask or one that is all object is read like its neighbours. Files of a single value have
 * no say, unless there are no others.
 */
export function datasetEncoding(looks: readonly MaskLook[]): DatasetEncoding {
  const telling = looks.filter(({ many, levels, alphaDecides }) => many || levels.length > 1 || alphaDecides);
  const owns = (telling.length ? telling : looks).map(ownEncoding);
  const votes = (encoding: FileEncoding) => owns.filter((own) => own === encoding).length;
  const fitted = (encoding: FileEncoding) => looks.filter((look) => fits(encoding, look)).length;
  const [encoding] = fileEncodings
    .filter((candidate) => owns.includes(candidate))
    .sort((a, b) => votes(b) - votes(a) || fitted(b) - fitted(a));
  const exceptions = new Map<FileEncoding | 'unknown', number>();
  for (const look of looks) {
    if (encoding && fits(encoding, look)) continue;
    const own = ownEncoding(look) ?? 'unknown';
    exceptions.set(own, (exceptions.get(own) ?? 0) + 1);
  }
  return { encoding, exceptions };
}
