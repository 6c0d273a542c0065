import type { Raster } from '../raster.ts';

const regularisation = 1e-5;
/** Levels up to this side are small enough to be solved well. */
const smallSide = 32;
const smallTurns = 10;
const largeTurns = 2;

interface Level {
  readonly width: number;
  readonly height: number;
  /** Colours of object and background in turn, six numbers a pixel. */
  readonly colours: Float32Array;
}

/**
 * The object's own colours (0 to 255, three a pixel) of a picture that mixes it with its background by `alpha`: fast
 * multi-level foreground estimation (Germer, Uelwer, Conrad and Harmeling, 2020, arXiv:2006.14970, algorithm 1), from one
 * pixel up to the full size, each level starting from the one before.
 */
export function estimateForeground(image: Raster, alpha: Float64Array): Float32Array {
  const { width, height } = image;
  const levels = Math.max(1, Math.ceil(Math.log2(Math.max(width, height))));
  let level = means(image, alpha);
  for (let i = 1; i <= levels; i++) {
    const next = enlarge(level, Math.round(width ** (i / levels)), Math.round(height ** (i / levels)));
    relax(next, image, alpha);
    level = next;
  }
  const out = new Float32Array(width * height * 3);
  for (let i = 0; i < width * height; i++) for (let c = 0; c < 3; c++) out[i * 3 + c] = level.colours[i * 6 + c] * 255;
  return out;
}

/** Mean colours of what is surely object and surely background. */
function means({ data }: Raster, alpha: Float64Array): Level {
  const sums = new Float64Array(8);
  for (let i = 0; i < alpha.length; i++) {
    const at = alpha[i] > 0.9 ? 0 : alpha[i] < 0.1 ? 4 : -1;
    if (at < 0) continue;
    for (let c = 0; c < 3; c++) sums[at + c] += data[i * 3 + c] / 255;
    sums[at + 3]++;
  }
  const [object, background] = [sums[3] || 1, sums[7] || 1];
  const colours = Float32Array.from([0, 1, 2, 4, 5, 6], (at) => sums[at] / (at < 4 ? object : background));
  return { width: 1, height: 1, colours };
}

const nearest = (count: number, from: number) =>
  Int32Array.from({ length: count }, (_, i) => Math.min(from - 1, Math.floor((i * from) / count)));

function enlarge(level: Level, width: number, height: number): Level {
  const colours = new Float32Array(width * height * 6);
  const columns = nearest(width, level.width);
  const rows = nearest(height, level.height);
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = (rows[y] * level.width + columns[x]) * 6;
      for (let c = 0; c < 6; c++) colours[to++] = level.colours[from + c];
    }
  return { width, height, colours };
}

/** Gauss-Seidel: at each pixel the two colours that explain its own, pulled to its neighbours' where alpha does not jump. */
function relax({ width, height, colours }: Level, image: Raster, fullAlpha: Float64Array): void {
  const columns = nearest(width, image.width);
  const rows = nearest(height, image.height);
  const alpha = new Float64Array(width * height);
  const own = new Float32Array(width * height * 3);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const from = rows[y] * image.width + columns[x];
      alpha[i] = fullAlpha[from];
      for (let c = 0; c < 3; c++) own[i * 3 + c] = image.data[from * 3 + c] / 255;
    }
  const turns = width <= smallSide && height <= smallSide ? smallTurns : largeTurns;
  for (let turn = 0; turn < turns; turn++)
    for (let y = 0, i = 0; y < height; y++) {
      const up = y > 0 ? -width : 0;
      const down = y < height - 1 ? width : 0;
      for (let x = 0; x < width; x++, i++) {
        const a = alpha[i];
        const b = 1 - a;
        const left = x > 0 ? i - 1 : i;
        const right = x < width - 1 ? i + 1 : i;
        const wl = regularisation + Math.abs(a - alpha[left]);
        const wr = regularisation + Math.abs(a - alpha[right]);
        const wu = regularisation + Math.abs(a - alpha[i + up]);
        const wd = regularisation + Math.abs(a - alpha[i + down]);
        const pull = wl + wr + wu + wd;
        const m00 = a * a + pull;
        const m01 = a * b;
        const m11 = b * b + pull;
        const scale = 1 / (m00 * m11 - m01 * m01);
        let [l, r, u, d] = [left * 6, right * 6, (i + up) * 6, (i + down) * 6];
        for (let c = 0; c < 3; c++, l++, r++, u++, d++) {
          const level = own[i * 3 + c];
          const object = a * level + wl * colours[l] + wr * colours[r] + wu * colours[u] + wd * colours[d];
          const background =
            b * level + wl * colours[l + 3] + wr * colours[r + 3] + wu * colours[u + 3] + wd * colours[d + 3];
          colours[i * 6 + c] = clamp((m11 * object - m01 * background) * scale);
          colours[i * 6 + c + 3] = clamp((m00 * background - m01 * object) * scale);
        }
      }
    }
}

const clamp = (value: number) => (value < 0 ? 0 : value > 1 ? 1 : value);
