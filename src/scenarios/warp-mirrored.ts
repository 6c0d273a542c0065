import { reflect } from '../image/border.ts';
import { createRaster, type Mask, type Raster } from '../image/raster.ts';

/** A camera's new view: shifts as shares of the frame, rotation in degrees anticlockwise, keystone at the edges. */
export interface WarpView {
  readonly x: number;
  readonly y: number;
  readonly rotation: number;
  readonly pan: number;
  readonly tilt: number;
}

/** Bilinear for the picture, nearest for the mask; what lies outside is mirrored at the edge, in both alike. */
export function warpMirrored(image: Raster, mask: Mask | undefined, view: WarpView): { image: Raster; mask?: Mask } {
  const { width, height, data } = image;
  const stride = 3 * width;
  const cos = Math.cos((view.rotation * Math.PI) / 180);
  const sin = Math.sin((view.rotation * Math.PI) / 180);
  const out = createRaster(width, height);
  const moved = mask && new Uint8Array(mask.data.length);
  const ignore = mask?.ignore && new Uint8Array(mask.data.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      // Where in the old picture the middle of the new pixel lies, from the middle of the frame.
      const u = x + 0.5 - width / 2;
      const v = y + 0.5 - height / 2;
      const near = 1 + (2 * view.pan * u) / width + (2 * view.tilt * v) / height;
      const du = (u - view.x * width) / near;
      const dv = (v - view.y * height) / near;
      const sx = cos * du - sin * dv + width / 2;
      const sy = sin * du + cos * dv + height / 2;

      if (moved) {
        const nearest = mirrored(Math.floor(sy), height) * width + mirrored(Math.floor(sx), width);
        moved[i] = mask.data[nearest];
        if (ignore && mask.ignore) ignore[i] = mask.ignore[nearest];
      }

      const left = Math.floor(sx - 0.5);
      const top = Math.floor(sy - 0.5);
      const fx = sx - 0.5 - left;
      const fy = sy - 0.5 - top;
      const x0 = mirrored(left, width) * 3;
      const x1 = mirrored(left + 1, width) * 3;
      const y0 = mirrored(top, height) * stride;
      const y1 = mirrored(top + 1, height) * stride;
      for (let c = 0; c < 3; c++) {
        const above = data[y0 + x0 + c] * (1 - fx) + data[y0 + x1 + c] * fx;
        const below = data[y1 + x0 + c] * (1 - fx) + data[y1 + x1 + c] * fx;
        out.data[3 * i + c] = above * (1 - fy) + below * fy + 0.5;
      }
    }
  }
  if (!moved) return { image: out };
  return { image: out, mask: ignore ? { ...mask, data: moved, ignore } : { ...mask, data: moved } };
}

const mirrored = (index: number, size: number) => (index >= 0 && index < size ? index : reflect(index, size));
