import { doubt, isNothing, type ObjectPlane, type Rect } from '../../../src/contracts/annotate/plane.ts';
import { type Size, screenRect, type View } from './view.ts';

type Colour = readonly [red: number, green: number, blue: number];

/** Told apart also by those who do not tell red from green (Okabe and Ito, 2008), and bright on photographs. */
const colours: readonly Colour[] = [
  [230, 30, 120],
  [0, 158, 215],
  [240, 200, 30],
  [0, 170, 120],
  [213, 94, 0],
  [150, 110, 255],
];
const doubtColour: Colour = [255, 255, 255];

const colourOf = (value: number): Colour => (value === doubt ? doubtColour : colours[(value - 1) % colours.length]);
export const colourName = (value: number): string => `rgb(${colourOf(value).join(' ')})`;

/** A picture at several sizes, so that showing it small does not cost what showing it large does. */
export async function loadLevels(blob: Blob): Promise<ImageBitmap[]> {
  const levels = [await createImageBitmap(blob)];
  for (let [last] = levels; Math.max(last.width, last.height) > 1200; ) {
    const [resizeWidth, resizeHeight] = [Math.ceil(last.width / 2), Math.ceil(last.height / 2)];
    last = await createImageBitmap(last, { resizeWidth, resizeHeight, resizeQuality: 'medium' });
    levels.push(last);
  }
  return levels;
}

export function paintPicture(context: CanvasRenderingContext2D, levels: readonly ImageBitmap[], view: View, of: Size) {
  const { canvas } = context;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const wanted = of.width * view.scale;
  const level = levels.findLast(({ width }) => width >= wanted) ?? levels[0];
  // Enlarged pixels are shown as squares, not smoothed.
  context.imageSmoothingEnabled = view.scale < 3;
  context.drawImage(level, view.x, view.y, of.width * view.scale, of.height * view.scale);
}

/** Opaque outline and translucent inside of every object, for the part of the screen that shows `rect`. */
export function paintMask(
  context: CanvasRenderingContext2D,
  plane: ObjectPlane,
  view: View,
  rect: Rect,
  opacity: number,
): void {
  const { canvas } = context;
  const { left, top, right, bottom } = screenRect(view, rect, canvas);
  if (isNothing({ left, top, right, bottom })) return;
  const [width, height] = [right - left, bottom - top];
  const picture = context.createImageData(width, height);
  const pixels = new Uint32Array(picture.data.buffer);
  const inside = tints(Math.round(255 * opacity));
  const outline = tints(opacity === 0 ? 0 : 235);
  // One more column and row before the first, whose values tell where an outline begins.
  const columns = Int32Array.from({ length: width + 1 }, (_, i) =>
    Math.floor((left - 1 + i + 0.5 - view.x) / view.scale),
  );
  const row = new Uint8Array(width + 1);
  const above = new Uint8Array(width + 1);
  for (let y = -1; y < height; y++) {
    const v = Math.floor((top + y + 0.5 - view.y) / view.scale);
    const isIn = v >= 0 && v < plane.height;
    const base = v * plane.width;
    for (let x = 0; x <= width; x++) {
      const u = columns[x];
      row[x] = isIn && u >= 0 && u < plane.width ? plane.data[base + u] : 0;
    }
    if (y >= 0)
      for (let x = 1; x <= width; x++) {
        const value = row[x];
        const [before, over] = [row[x - 1], above[x]];
        if (value !== before || value !== over)
          pixels[y * width + x - 1] = outline[value || (value !== before ? before : over)];
        else if (value) pixels[y * width + x - 1] = value === doubt && (x + y + left + top) % 6 < 2 ? 0 : inside[value];
      }
    above.set(row);
  }
  context.putImageData(picture, left, top);
}

/** Colours by value as the pixels of an ImageData read as numbers, on the machines there are (little-endian). */
function tints(alpha: number): Uint32Array {
  const table = new Uint32Array(256);
  for (let value = 1; value < 256; value++) {
    const [r, g, b] = colourOf(value);
    table[value] = ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
  }
  return table;
}
