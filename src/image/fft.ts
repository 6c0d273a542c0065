import { chunkLines, evenLines, planLines, planPlaced, scratch } from './fft/lines.ts';
import { planTransform } from './fft/transform.ts';
import { begin, kernels, put, take } from './kernels/arena.ts';
import type { Raster } from './raster.ts';

/**
 * The half of a real picture's spectrum that is not mirrored: `columns` = ⌊width / 2⌋ + 1 frequencies across, `height`
 * down, row by row, unnormalised, as NumPy's `rfft2`.
 */
export interface Spectrum {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
}

/** Discrete Fourier transform of a real plane of any size. */
export function fft2(plane: ArrayLike<number>, width: number, height: number): Spectrum {
  const columns = (width >> 1) + 1;
  const real = new Float64Array(columns * height);
  const imaginary = new Float64Array(columns * height);
  // Two real rows make one complex transform; their spectra are its even and odd parts.
  const pairs = (height + 1) >> 1;
  const lines = evenLines(pairs);
  const re = scratch('rows, real', width * lines);
  const im = scratch('rows, imaginary', width * lines);
  for (let pair = 0; pair < pairs; pair++) {
    const y = 2 * pair;
    const second = y + 1 < height;
    for (let x = 0, i = pair; x < width; x++, i += lines) {
      re[i] = plane[y * width + x];
      im[i] = second ? plane[(y + 1) * width + x] : 0;
    }
  }
  planLines(width)(re, im, lines);
  for (let pair = 0; pair < pairs; pair++) {
    const y = 2 * pair;
    const second = y + 1 < height;
    for (let x = 0; x < columns; x++) {
      const k = x * lines + pair;
      const m = (x === 0 ? 0 : width - x) * lines + pair;
      real[y * columns + x] = (re[k] + re[m]) / 2;
      imaginary[y * columns + x] = (im[k] - im[m]) / 2;
      if (!second) continue;
      real[(y + 1) * columns + x] = (im[k] + im[m]) / 2;
      imaginary[(y + 1) * columns + x] = (re[m] - re[k]) / 2;
    }
  }
  transformColumns(real, imaginary, columns, height);
  return { width, height, columns, real, imaginary };
}

/** The plane that has this spectrum. */
export function inverseFft2({ width, height, columns, real, imaginary }: Spectrum): Float64Array {
  const re = real.slice();
  // The inverse is the forward transform with the sign of the imaginary part turned before and after.
  const im = imaginary.map((v) => -v);
  transformColumns(re, im, columns, height);
  const rows = planTransform(width);
  const a = new Float64Array(width);
  const b = new Float64Array(width);
  const out = new Float64Array(width * height);
  const scale = 1 / (width * height);
  for (let y = 0; y < height; y += 2) {
    const p = y * columns;
    const q = y + 1 < height ? p + columns : -1;
    for (let k = 0; k < width; k++) {
      const mirrored = k >= columns;
      const i = mirrored ? width - k : k;
      const sign = mirrored ? -1 : 1;
      a[k] = re[p + i] - (q < 0 ? 0 : sign * im[q + i]);
      b[k] = sign * im[p + i] + (q < 0 ? 0 : re[q + i]);
    }
    // A spectrum that is its own mirror image makes the sum of two such transforms separable again.
    rows(a, b);
    for (let x = 0; x < width; x++) {
      out[y * width + x] = a[x] * scale;
      if (q >= 0) out[(y + 1) * width + x] = b[x] * scale;
    }
  }
  return out;
}

function transformColumns(real: Float64Array, imaginary: Float64Array, columns: number, height: number): void {
  const lines = evenLines(columns);
  const transform = planLines(height);
  if (lines === columns) {
    transform(real, imaginary, lines);
    return;
  }
  const re = scratch('columns, real', height * lines);
  const im = scratch('columns, imaginary', height * lines);
  for (let y = 0; y < height; y++) {
    re.set(real.subarray(y * columns, (y + 1) * columns), y * lines);
    im.set(imaginary.subarray(y * columns, (y + 1) * columns), y * lines);
  }
  transform(re, im, lines);
  for (let y = 0; y < height; y++) {
    real.set(re.subarray(y * lines, y * lines + columns), y * columns);
    imaginary.set(im.subarray(y * lines, y * lines + columns), y * columns);
  }
}

/** Sum of the amplitudes over the whole spectrum, the mirrored half counted too. */
export function amplitudeSum({ width, columns, real, imaginary }: Spectrum): number {
  let sum = 0;
  for (let k = 0; k < columns; k++) {
    const twice = k > 0 && 2 * k !== width ? 2 : 1;
    let column = 0;
    for (let i = k; i < real.length; i += columns) column += Math.sqrt(real[i] * real[i] + imaginary[i] * imaginary[i]);
    sum += twice * column;
  }
  return sum;
}

const shareOfByte = Float64Array.from({ length: 256 }, (_, value) => value / 255);

/** One channel of a picture in [0, 1]. */
export function channel({ width, height, data }: Raster, index: 0 | 1 | 2): Float64Array {
  const plane = new Float64Array(width * height);
  for (let i = 0, at = index; i < plane.length; i++, at += 3) plane[i] = shareOfByte[data[at]];
  return plane;
}

/**
 * How busy a picture is: the mean amplitude of its unnormalised 2-D Fourier transform, pixels in [0, 1], over all
 * frequencies (the constant too) and channels. ImageNet-E guides its backgrounds by this number.
 */
export function meanAmplitude({ width, height, data }: Raster): number {
  begin();
  return placeMeanAmplitude(width, height)(put(data));
}

/** `meanAmplitude` of pictures in kernel memory: as `amplitudeSum(fft2(channel))` of all three, to the bit. */
export function placeMeanAmplitude(width: number, height: number): (picture: number) => number {
  const columns = (width >> 1) + 1;
  const lines = Math.min(chunkLines, evenLines((height + 1) >> 1));
  const chunks = Math.ceil(columns / chunkLines);
  const chunkBytes = 16 * height * chunkLines;
  const shares = put(shareOfByte);
  const [rowsAt, columnsAt] = [take(16 * width * lines), take(chunks * chunkBytes)];
  const [acrossRows, downColumns] = [planPlaced(width)(lines), planPlaced(height)(chunkLines)];
  const { amplitudeIn, amplitudeSplit, amplitudeTotal } = kernels();
  return (picture) => {
    let sum = 0;
    for (const c of [0, 1, 2]) {
      for (let y = 0; y < height; y += 2 * lines) {
        const rows = Math.min(2 * lines, height - y);
        amplitudeIn(picture + 3 * y * width + c, width, rows, shares, rowsAt, lines);
        const to = columnsAt + 16 * y * chunkLines;
        amplitudeSplit(acrossRows(rowsAt), width, rows, lines, columns, to, chunkLines, chunkBytes);
      }
      let own = 0;
      for (let chunk = 0; chunk < chunks; chunk++) {
        const first = chunk * chunkLines;
        const found = downColumns(columnsAt + chunk * chunkBytes);
        own = amplitudeTotal(found, width, height, first, Math.min(columns - first, chunkLines), chunkLines, own);
      }
      sum += own;
    }
    return sum / (3 * width * height);
  };
}
