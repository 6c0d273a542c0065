import sharp from 'sharp';
import { SampleError } from '../../contracts/errors.ts';

export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface MaskNote {
  readonly kind: 'resampled' | 'rotated' | 'polarity' | 'encoding' | 'values';
  readonly message: string;
}

/** Below this, rounding lets any picture pass for a scaled copy of another. */
const smallestSidePx = 8;

/** Brings a mask to its image's size, where that is sure to be the same picture; else refuses the sample. */
export async function fitToImage(
  plane: Plane,
  image: { width: number; height: number; path: string },
  file: string,
): Promise<{ plane: Plane; notes: MaskNote[] }> {
  if (plane.width === image.width && plane.height === image.height) return { plane, notes: [] };
  const rotated = await rotateAsExif(plane, image);
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

function nearest({ width, height, data }: Plane, toWidth: number, toHeight: number): Plane {
  const out = new Uint8Array(toWidth * toHeight);
  const columns = Int32Array.from({ length: toWidth }, (_, x) => Math.floor(((x + 0.5) * width) / toWidth));
  for (let y = 0; y < toHeight; y++) {
    const row = Math.floor(((y + 0.5) * height) / toHeight) * width;
    for (let x = 0; x < toWidth; x++) out[y * toWidth + x] = data[row + columns[x]];
  }
  return { width: toWidth, height: toHeight, data: out };
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
  const { orientation = 1, width: storedWidth } = await sharp(image.path)
    .metadata()
    .catch(() => ({ orientation: 1, width: 0 }));
  if (orientation < 5) return undefined;
  const imageIsStored = storedWidth === image.width;
  return {
    plane: orient(plane, imageIsStored ? inverse[orientation] : orientation),
    note: {
      kind: 'rotated',
      message: imageIsStored
        ? 'mask drawn for the picture as displayed, turned back to the stored orientation'
        : 'mask drawn for the picture as stored, turned as the EXIF orientation says',
    },
  };
}

/** Orientations 5 to 8 swap the sides; 6 and 8 undo each other. */
const inverse: Record<number, number> = { 5: 5, 6: 8, 7: 7, 8: 6 };

function orient({ width, height, data }: Plane, orientation: number): Plane {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < width; y++)
    for (let x = 0; x < height; x++) {
      const sourceX = orientation === 5 || orientation === 6 ? y : width - 1 - y;
      const sourceY = orientation === 5 || orientation === 8 ? x : height - 1 - x;
      out[y * height + x] = data[sourceY * width + sourceX];
    }
  return { width: height, height: width, data: out };
}
