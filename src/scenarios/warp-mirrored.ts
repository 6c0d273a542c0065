import { reflect } from '../image/border.ts';
import { createRaster, type Mask, type Raster } from '../image/raster.ts';

/** A camera's new view: shifts as shares of the frame, rotation in degrees anticlockwise, keystone at the edges. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly rotation: number;
  readonly pan: number;
  readonly tilt: number;
}

type Point = (x: number, y: number) => [x: number, y: number];

/** Where in the old picture the middle of the new picture's pixel lies. */
function sourcePoint({ x: shiftX, y: shiftY, rotation, pan, tilt }: View, width: number, height: number): Point {
  const cos = Math.cos((rotation * Math.PI) / 180);
  const sin = Math.sin((rotation * Math.PI) / 180);
  return (x, y) => {
    const u = x + 0.5 - width / 2;
    const v = y + 0.5 - height / 2;
    const near = 1 + (2 * pan * u) / width + (2 * tilt * v) / height;
    const du = u - shiftX * width;
    const dv = v - shiftY * height;
    return [(cos * du - sin * dv) / near + width / 2, (sin * du + cos * dv) / near + height / 2];
  };
}

/** Bilinear for the picture, nearest for the mask; what lies outside is mirrored at the edge, in both alike. */
export function warpMirrored(image: Raster, mask: Mask, view: View): { image: Raster; mask: Mask } {
  const { width, height, data } = image;
  const point = sourcePoint(view, width, height);
  const out = createRaster(width, height);
  const moved = new Uint8Array(mask.data.length);
  const ignore = mask.ignore && new Uint8Array(mask.data.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const [sx, sy] = point(x, y);
      const nearest = reflect(Math.floor(sy), height) * width + reflect(Math.floor(sx), width);
      moved[i] = mask.data[nearest];
      if (ignore && mask.ignore) ignore[i] = mask.ignore[nearest];
      const left = Math.floor(sx - 0.5);
      const top = Math.floor(sy - 0.5);
      const fx = sx - 0.5 - left;
      const fy = sy - 0.5 - top;
      const x0 = reflect(left, width) * 3;
      const x1 = reflect(left + 1, width) * 3;
      const y0 = reflect(top, height) * width * 3;
      const y1 = reflect(top + 1, height) * width * 3;
      for (let c = 0; c < 3; c++) {
        const above = data[y0 + x0 + c] * (1 - fx) + data[y0 + x1 + c] * fx;
        const below = data[y1 + x0 + c] * (1 - fx) + data[y1 + x1 + c] * fx;
        out.data[3 * i + c] = Math.round(above * (1 - fy) + below * fy);
      }
    }
  }
  return { image: out, mask: ignore ? { ...mask, data: moved, ignore } : { ...mask, data: moved } };
}
