import { SampleError } from '../../contracts/errors.ts';
import { inspectImage } from '../../image/decode.ts';
import { type DecodeMode, turnsUpright } from '../../image/format.ts';

export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  /** Levels of a soft mask, 255 on the object. */
  readonly soft?: Uint8Array;
}

export interface MaskNote {
  readonly kind: 'resampled' | 'rotated' | 'polarity' | 'encoding' | 'values';
  readonly message: string;
}

/** Below this, rounding lets any picture pass for a scaled copy of another. */
const smallestSidePx = 8;

export interface FitOptions {
  /** How the image was read, which decides whether its EXIF orientation was applied. */
  mode?: DecodeMode;
  /** The picture that the mask was drawn for, where its kind tells; else its size must. */
  drawnFor?: 'stored' | 'displayed';
}

/** Brings a mask to its image's size, where that is sure to be the same picture; else refuses the sample. */
export async function fitToImage(
  given: Plane,
  image: { width: number; height: number; path: string },
  file: string,
  { mode = 'pillow', drawnFor }: FitOptions = {},
): Promise<{ plane: Plane; notes: MaskNote[] }> {
  const plane = drawnFor ? await turnLikeImage(given, image.path, mode, drawnFor) : given;
  if (plane.width === image.width && plane.height === image.height) return { plane, notes: [] };
  const rotated = drawnFor ? undefined : await rotateAsExif(plane, image);
  if (rotated) {
    const rest = fitSize(rotated.plane, image);
    if (rest) return { plane: rest.plane, notes: [rotated.note, ...rest.notes] };
  }
  const fitted = fitSize(plane, image);
  if (fitted) return fitted;
  throw new SampleError(
    'mask-size',
    `mask is ${plane.width} × ${plane.height}, the image ${image.width} × ${image.height}: neither the same size nor a scaled copy`,
    { file },
  );
}

function fitSize(
  plane: Plane,
  image: { width: number; height: number },
): { plane: Plane; notes: MaskNote[] } | undefined {
  const { width, height } = plane;
  if (width === image.width && height === image.height) return { plane, notes: [] };
  const near = Math.abs(width - image.width) < 2 && Math.abs(height - image.height) < 2;
  if (!near && !isScaled(plane, image)) return undefined;
  return {
    plane: nearest(plane, image.width, image.height),
    notes: [
      {
        kind: 'resampled',
        message: `mask of ${width} × ${height} brought to the image's ${image.width} × ${image.height} (nearest)`,
      },
    ],
  };
}

/** One factor for both sides, up to rounding to whole pixels in the smaller of the two pictures. */
function isScaled(a: { width: number; height: number }, b: { width: number; height: number }): boolean {
  const [small, large] = a.width * a.height <= b.width * b.height ? [a, b] : [b, a];
  if (Math.min(small.width, small.height) < smallestSidePx) return false;
  const misfit = (side: number, other: number, sideLarge: number, otherLarge: number) =>
    Math.abs(other - (otherLarge * side) / sideLarge);
  return (
    misfit(small.width, small.height, large.width, large.height) < 1 ||
    misfit(small.height, small.width, large.height, large.width) < 1
  );
}

function nearest({ width, height, data, soft }: Plane, toWidth: number, toHeight: number): Plane {
  const out = new Uint8Array(toWidth * toHeight);
  const columns = Int32Array.from({ length: toWidth }, (_, x) => Math.floor(((x + 0.5) * width) / toWidth));
  for (let y = 0; y < toHeight; y++) {
    const row = Math.floor(((y + 0.5) * height) / toHeight) * width;
    for (let x = 0; x < toWidth; x++) out[y * toWidth + x] = data[row + columns[x]];
  }
  const levels = soft && nearest({ width, height, data: soft }, toWidth, toHeight).data;
  return { width: toWidth, height: toHeight, data: out, ...(levels && { soft: levels }) };
}

/**
 * A camera's picture is stored lying and shown upright by its EXIF orientation; a mask may have been drawn for either. Where
 * the sides are swapped and the file says it was turned by a quarter, the mask is turned likewise.
 */
async function rotateAsExif(
  plane: Plane,
  image: { width: number; height: number; path: string },
): Promise<{ plane: Plane; note: MaskNote } | undefined> {
  const portrait = ({ width, height }: { width: number; height: number }) => height > width;
  if (portrait(plane) === portrait(image) || image.width === image.height) return undefined;
  const { orientation, width: storedWidth } = await headOf(image.path);
  if (orientation < 5) return undefined;
  const imageIsStored = storedWidth === image.width;
  return {
    plane: orient(plane, imageIsStored ? undone(orientation) : orientation),
    note: {
      kind: 'rotated',
      message: imageIsStored
        ? 'mask drawn for the picture as displayed, turned back to the stored orientation'
        : 'mask drawn for the picture as stored, turned as the EXIF orientation says',
    },
  };
}

/**
 * Turns a mask as its image was turned, where it is known which of the two pictures it was drawn for; sizes are not
 * compared.
 */
async function turnLikeImage(
  plane: Plane,
  path: string,
  mode: DecodeMode,
  drawnFor: 'stored' | 'displayed',
): Promise<Plane> {
  const head = await headOf(path);
  const imageIs = turnsUpright(head, mode) ? 'displayed' : 'stored';
  if (imageIs === drawnFor) return plane;
  return orient(plane, drawnFor === 'stored' ? head.orientation : undone(head.orientation));
}

const headOf = (path: string) =>
  inspectImage(path, { maxPixels: Number.POSITIVE_INFINITY }).catch(() => ({
    format: undefined,
    orientation: 1,
    width: 0,
  }));

/** 6 and 8 undo each other, every other orientation itself. */
const undone = (orientation: number) => (orientation === 6 ? 8 : orientation === 8 ? 6 : orientation);

/** A stored plane as EXIF says it is shown; orientations 5 to 8 swap the sides. */
function orient(plane: Plane, orientation: number): Plane {
  const { width, height, data, soft } = plane;
  if (orientation <= 1) return plane;
  const swapped = orientation >= 5;
  const [toWidth, toHeight] = swapped ? [height, width] : [width, height];
  const mirrorX = [2, 3, 7, 8].includes(orientation);
  const mirrorY = [3, 4, 6, 7].includes(orientation);
  const out = new Uint8Array(data.length);
  for (let y = 0; y < toHeight; y++)
    for (let x = 0; x < toWidth; x++) {
      const [u, v] = swapped ? [y, x] : [x, y];
      out[y * toWidth + x] = data[(mirrorY ? height - 1 - v : v) * width + (mirrorX ? width - 1 - u : u)];
    }
  const levels = soft && orient({ width, height, data: soft }, orientation).data;
  return { width: toWidth, height: toHeight, data: out, ...(levels && { soft: levels }) };
}
