import { inflateSync } from 'node:zlib';
import type { ImageFacts } from './format.ts';
import { isSrgb } from './icc.ts';

/** A file's head, read without a decoder; undefined where it is not as it should be. */
export function readHead(bytes: Uint8Array, format: 'jpeg' | 'png'): ImageFacts | undefined {
  try {
    return format === 'jpeg' ? readJpeg(bytes) : readPng(bytes);
  } catch {
    return undefined;
  }
}

const profileOf = (icc: Uint8Array | undefined) => (icc === undefined ? 'none' : isSrgb(icc) ? 'srgb' : 'other');
const startsWith = (bytes: Uint8Array, at: number, word: string) =>
  [...word].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));

function readJpeg(bytes: Uint8Array): ImageFacts | undefined {
  let at = 2;
  let orientation = 1;
  let size: { width: number; height: number; components: number; bits: number } | undefined;
  const profile: Uint8Array[] = [];
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === 0xff || marker === 0) {
      at++;
      continue;
    }
    if (marker === 0xda) break;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    const length = (bytes[at + 2] << 8) | bytes[at + 3];
    const body = at + 4;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      size = {
        bits: bytes[body],
        height: (bytes[body + 1] << 8) | bytes[body + 2],
        width: (bytes[body + 3] << 8) | bytes[body + 4],
        components: bytes[body + 5],
      };
    } else if (marker === 0xe1 && startsWith(bytes, body, 'Exif\0\0')) {
      orientation = readOrientation(bytes.subarray(body + 6, at + 2 + length));
    } else if (marker === 0xe2 && startsWith(bytes, body, 'ICC_PROFILE\0')) {
      profile[bytes[body + 12] - 1] = bytes.subarray(body + 14, at + 2 + length);
    }
    at += 2 + length;
  }
  if (!size) return undefined;
  const { width, height, components, bits } = size;
  const colour = components === 1 ? 'grey' : components === 4 ? 'cmyk' : 'rgb';
  const icc = profile.length > 0 ? Buffer.concat(profile) : undefined;
  return {
    format: 'jpeg',
    width,
    height,
    orientation,
    colour,
    bits,
    alpha: false,
    wideGrey: false,
    profile: profileOf(icc),
  };
}

function readPng(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!startsWith(bytes, 12, 'IHDR')) return undefined;
  const kind = bytes[25];
  let alpha = kind === 4 || kind === 6;
  let orientation = 1;
  let icc: Uint8Array | undefined;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const body = at + 8;
    const end = body + view.getUint32(at);
    if (startsWith(bytes, at + 4, 'IDAT') || startsWith(bytes, at + 4, 'IEND')) break;
    if (startsWith(bytes, at + 4, 'tRNS')) alpha = true;
    if (startsWith(bytes, at + 4, 'eXIf')) orientation = readOrientation(bytes.subarray(body, end));
    if (startsWith(bytes, at + 4, 'iCCP')) icc = unpackProfile(bytes.subarray(bytes.indexOf(0, body) + 2, end));
  }
  const colour = kind === 0 || kind === 4 ? 'grey' : 'rgb';
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const bits = bytes[24];
  const wideGrey = kind === 0 && bits === 16;
  return { format: 'png', width, height, orientation, colour, bits, alpha, wideGrey, profile: profileOf(icc) };
}

/** Far above any profile for colours of a screen; a few hundred kilobytes may unpack to gigabytes. */
const mostProfileBytes = 4_000_000;

/** As Pillow: a profile that cannot be unpacked is none. */
function unpackProfile(packed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: mostProfileBytes });
  } catch {
    return undefined;
  }
}

/** Tag 0x0112 of the first directory of an EXIF block. */
function readOrientation(exif: Uint8Array): number {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  try {
    const little = view.getUint16(0) === 0x4949;
    const directory = view.getUint32(4, little);
    for (let i = 0; i < view.getUint16(directory, little); i++) {
      const at = directory + 2 + 12 * i;
      if (view.getUint16(at, little) !== 0x0112) continue;
      const value = view.getUint16(at + 8, little);
      return value >= 1 && value <= 8 ? value : 1;
    }
  } catch {
    // A damaged EXIF block says nothing.
  }
  return 1;
}

/** No side of an AV1 picture or of a grid of them is longer; libvips writes warnings of its own about what is. */
const longestSide = 10_000_000;

/** The size that an AVIF file claims (its `ispe` boxes, ISO/IEC 23008-12, 6.5.3), where no picture can have it. */
export function absurdSize(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 65_536));
  for (let at = file.indexOf('ispe'); at >= 0 && at + 16 <= file.length; at = file.indexOf('ispe', at + 4)) {
    const [width, height] = [file.readUInt32BE(at + 8), file.readUInt32BE(at + 12)];
    if (Math.max(width, height) > longestSide) return `${width} × ${height}`;
  }
  return undefined;
}
