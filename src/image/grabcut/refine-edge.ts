import { filterGuided } from '../guided-filter.ts';
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
  const { width, height } = image;
  const out = createMask(width, height, resizePlane(mask, 1, width, height, 'nearest'));
  const xs = Float64Array.from({ length: width }, (_, x) => ((x + 0.5) * small.width) / width);
  const ys = Float64Array.from({ length: height }, (_, y) => ((y + 0.5) * small.height) / height);
  const band = edgeBand(mask);
  const where = new Uint8Array(width * height);
  const columns = Int32Array.from(xs, (x) => Math.floor(x));
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(ys[y]) * small.width;
    for (let x = 0; x < width; x++, i++) where[i] = band[row + columns[x]];
  }
  const plane = Float32Array.from(mask.data, (v) => v / 255);
  const shares = filterGuided(small, plane, { radiusPx, epsilon }, { image, xs, ys, where });
  for (let i = 0; i < where.length; i++) if (where[i]) out.data[i] = shares[i] >= 0.5 ? 255 : 0;
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
