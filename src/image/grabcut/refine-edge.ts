import { guidedModel } from '../guided-filter.ts';
import { createMask, type Mask, type Raster } from '../raster.ts';
import { resizePlane } from '../resize.ts';

/** Reach of the filter, and of the band in which the edge is looked for, in pixels of the small picture. */
const radiusPx = 2;
const epsilon = 1e-4;

/**
 * A small picture's mask at full size, its edge where the large picture has it: the small mask as a local linear function of
 * the small picture's colours, evaluated on the large one's (fast guided filter; He and Sun, 2015, arXiv:1505.00996), in a
 * band about the small mask's edge alone.
 */
export function refineEdge(image: Raster, small: Raster, mask: Mask): Mask {
  const { width, height, data } = image;
  const model = guidedModel(
    small,
    Float32Array.from(mask.data, (v) => v / 255),
    { radiusPx, epsilon },
  );
  const out = createMask(width, height, resizePlane(mask, 1, width, height, 'nearest'));
  const band = edgeBand(mask);
  const columns = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * small.width) / width));
  for (let y = 0; y < height; y++) {
    const v = ((y + 0.5) * small.height) / height;
    const row = Math.floor(v) * small.width;
    for (let x = 0; x < width; x++) {
      if (band[row + columns[x]] === 0) continue;
      const i = y * width + x;
      const u = ((x + 0.5) * small.width) / width;
      const share = model(u, v, data[i * 3] / 255, data[i * 3 + 1] / 255, data[i * 3 + 2] / 255);
      out.data[i] = share >= 0.5 ? 255 : 0;
    }
  }
  return out;
}

/** 1 on pixels whose square of reach `radiusPx` holds both object and background. */
function edgeBand({ width, height, data }: Mask): Uint8Array {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const own = data[y * width + x];
      const [left, right] = [Math.max(0, x - radiusPx), Math.min(width - 1, x + radiusPx)];
      search: for (let v = Math.max(0, y - radiusPx); v <= Math.min(height - 1, y + radiusPx); v++)
        for (let u = left; u <= right; u++)
          if (data[v * width + u] !== own) {
            out[y * width + x] = 1;
            break search;
          }
    }
  }
  return out;
}
