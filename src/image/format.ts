/** Formats that are read; anything else is refused. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff' | 'gif' | 'bmp';

const text = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

/** What a file is by its first bytes; its name says nothing. */
export function formatOf(bytes: Uint8Array): ImageFormat | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  if (text(bytes, 0, 4) === '\x89PNG') return 'png';
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP') return 'webp';
  if (text(bytes, 4, 8) === 'ftyp' && /avi[fs]|mif1|msf1/.test(text(bytes, 8, 64))) return 'avif';
  if (/^(II[*+]\0|MM\0[*+])/.test(text(bytes, 0, 4))) return 'tiff';
  if (/^GIF8[79]a/.test(text(bytes, 0, 6))) return 'gif';
  if (text(bytes, 0, 2) === 'BM' && bytes.length > 18 && bytes[15] === 0 && bytes[16] === 0) return 'bmp';
  return undefined;
}

/**
 * What of a damaged file is refused. Pillow accepts what libjpeg and libpng merely warn about, and refuses what ends too
 * early; of TIFF it refuses whatever libtiff cannot decode, where libvips would go on with black.
 */
export const damageRefused = (format: ImageFormat | undefined) => (format === 'tiff' ? 'error' : 'truncated');

/** What a file's head says; enough to know whether the two ways of decoding differ. */
export interface ImageFacts {
  readonly format: ImageFormat;
  /** As stored, before any rotation. */
  readonly width: number;
  readonly height: number;
  /** EXIF: 1 is upright. */
  readonly orientation: number;
  readonly colour: 'rgb' | 'grey' | 'cmyk';
  readonly bits: number;
  readonly alpha: boolean;
  /** 16-bit grey without an alpha channel, which Pillow keeps as numbers and cuts off at 255; a transparent level may be named. */
  readonly wideGrey: boolean;
  /** `srgb` covers profiles that describe sRGB whatever their name. */
  readonly profile: 'none' | 'srgb' | 'other';
}

/**
 * `pillow`: what Pillow's `Image.open(file).convert('RGB')` gives, without EXIF rotation and colour profile, alpha
 * dropped; what models are trained and published with. `corrected`: upright, in sRGB, alpha flattened; what a person sees.
 */
export type DecodeMode = 'pillow' | 'corrected';

/** Whether a file's EXIF orientation is applied; Pillow turns TIFF upright by itself, and nothing else. */
export const turnsUpright = ({ format }: { format?: ImageFormat }, mode: DecodeMode): boolean =>
  mode === 'corrected' || format === 'tiff';

/** Ways in which `corrected` and `pillow` treat an image differently. */
export type DecodeDifference = 'orientation' | 'profile' | 'cmyk' | 'alpha' | 'sixteen-bit-grey';

/** Empty: both ways of decoding give the same pixels. An alpha channel counts though it may be opaque. */
export function decodeDifferences(facts: ImageFacts): DecodeDifference[] {
  const found: DecodeDifference[] = [];
  if (facts.orientation > 1 && !turnsUpright(facts, 'pillow')) found.push('orientation');
  if (facts.colour === 'cmyk') found.push('cmyk');
  else if (facts.profile === 'other') found.push('profile');
  if (facts.alpha) found.push('alpha');
  if (facts.wideGrey) found.push('sixteen-bit-grey');
  return found;
}
