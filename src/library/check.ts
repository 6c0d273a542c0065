import { expected } from '../contracts/errors.ts';
import type { Mask, Raster } from '../image/raster.ts';

/** A program in plain JavaScript gives anything; what is no path would fail far from here. */
export function checkPath(path: unknown, name: string): void {
  if (typeof path !== 'string' || !path.trim()) throw expected('a path', name, path);
}

export function checkChoice(value: unknown, choices: readonly string[], name: string): void {
  if (value !== undefined && !choices.includes(value as string))
    throw expected(`one of ${choices.join(', ')}`, name, value);
}

/** Pixels with alpha, or of another size than is said, would give a picture, and a wrong one. */
export function checkPicture(image: Raster, mask: Mask | undefined, name = ''): void {
  checkBytes(image, 3, `${name}image`);
  if (!mask) return;
  checkBytes(mask, 1, `${name}mask`);
  if (mask.width !== image.width || mask.height !== image.height)
    throw expected(`${sizeOf(image)} pixels, as the image`, `${name}mask`, sizeOf(mask));
}

function checkBytes(picture: Raster | Mask | undefined, channels: number, name: string): void {
  const { width = 0, height = 0, data = [] } = picture ?? {};
  const bytes = width * height * channels;
  if (bytes > 0 && data.length === bytes) return;
  const what = channels === 3 ? 'three bytes a pixel (RGB), without padding' : 'one byte a pixel';
  throw expected(
    `pixels, { width, height, data }, with ${what}`,
    name,
    picture && `${sizeOf({ width, height })} and ${data.length} bytes`,
  );
}

const sizeOf = ({ width, height }: { width: number; height: number }) => `${width}×${height}`;
