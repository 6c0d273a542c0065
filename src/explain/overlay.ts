import { boundary } from '../image/mask-ops.ts';
import { createRaster, type Mask, type Raster } from '../image/raster.ts';
import { resize, resizeMask } from '../image/resize.ts';

/** Black to yellow over purple and red, even in lightness (after matplotlib's inferno, at eight points). */
const heat = [
  [0, 0, 4],
  [40, 11, 84],
  [101, 21, 110],
  [159, 42, 99],
  [212, 72, 66],
  [245, 125, 21],
  [250, 193, 39],
  [252, 255, 164],
] as const;
const strongest = 0.75;
/** What the crop cut off is drawn darker. */
const unseenLight = 0.35;

export interface OverlayOptions {
  readonly image: Raster;
  readonly mask: Mask | undefined;
  /** In the variant's pixels; NaN where the network was shown nothing, drawn dark. */
  readonly map: Float32Array;
  readonly sizePx: number;
}

/** The variant with its map as heat and the object's outline in white. */
export function drawOverlay({ image, mask, map, sizePx }: OverlayOptions): Raster {
  const { width, height } = fitted(image, sizePx);
  const small = width === image.width ? image : resize(image, width, height, 'lanczos');
  const out = createRaster(width, height);
  const largest = map.reduce((most, value) => (value > most ? value : most), 0);
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * image.height) / height) * image.width;
    for (let x = 0; x < width; x++, at += 3) {
      const value = map[row + Math.floor(((x + 0.5) * image.width) / width)];
      const shown = !Number.isNaN(value);
      const level = shown && largest > 0 ? Math.max(0, value) / largest : 0;
      const colour = heatColour(level);
      const share = strongest * Math.sqrt(level);
      const light = shown ? 1 - share : unseenLight;
      for (let c = 0; c < 3; c++) out.data[at + c] = Math.round(small.data[at + c] * light + colour[c] * share);
    }
  }
  if (mask) outline(out, resizeMask(mask, width, height));
  return out;
}

/** Two pictures side by side, a white line between them. */
export function beside(left: Raster, right: Raster, gapPx = 6): Raster {
  const height = Math.max(left.height, right.height);
  const width = left.width + gapPx + right.width;
  const out = createRaster(width, height, new Uint8Array(width * height * 3).fill(255));
  for (const [picture, offset] of [
    [left, 0],
    [right, left.width + gapPx],
  ] as const)
    for (let y = 0; y < picture.height; y++)
      out.data.set(picture.data.subarray(y * picture.width * 3, (y + 1) * picture.width * 3), (y * width + offset) * 3);
  return out;
}

export function reduceTo(image: Raster, sizePx: number): Raster {
  const { width, height } = fitted(image, sizePx);
  return width === image.width ? image : resize(image, width, height, 'lanczos');
}

function fitted({ width, height }: Raster, sizePx: number) {
  const scale = Math.min(1, sizePx / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function heatColour(level: number): number[] {
  const at = Math.min(1, level) * (heat.length - 1);
  const low = Math.min(heat.length - 2, Math.floor(at));
  return [0, 1, 2].map((c) => heat[low][c] + (heat[low + 1][c] - heat[low][c]) * (at - low));
}

/** White, with black outside it, so that it shows on any ground. */
function outline(picture: Raster, mask: Mask): void {
  const line = boundary(mask);
  const { width, height, data } = picture;
  const paint = (x: number, y: number, level: number) => {
    if (x >= 0 && y >= 0 && x < width && y < height) data.fill(level, (y * width + x) * 3, (y * width + x) * 3 + 3);
  };
  for (const level of [0, 255])
    for (let y = 0, i = 0; y < height; y++)
      for (let x = 0; x < width; x++, i++) {
        if (!line.data[i]) continue;
        if (level) paint(x, y, 255);
        else
          for (const [dx, dy] of [
            [1, 0],
            [-1, 0],
            [0, 1],
            [0, -1],
          ])
            if (!mask.data[(y + dy) * width + x + dx]) paint(x + dx, y + dy, 0);
      }
}
