const regularisation: f64 = 1e-5;

/**
 * One level of multi-level foreground estimation. `colours` holds object and background side by side, three channels a
 * pixel, single precision; it begins as the level before, enlarged. Picture and coverage are sampled at the nearest pixel.
 * `columns` has room for two integers a column.
 */
export function foregroundLevel(
  image: usize,
  fullAlpha: usize,
  fullWidth: i32,
  fullHeight: i32,
  before: usize,
  beforeWidth: i32,
  beforeHeight: i32,
  colours: usize,
  width: i32,
  height: i32,
  turns: i32,
  alpha: usize,
  own: usize,
  columns: usize,
): void {
  for (let x = 0; x < width; x++) {
    store<i32>(columns + ((<usize>x) << 3), nearest(x, width, fullWidth));
    store<i32>(columns + ((<usize>x) << 3), nearest(x, width, beforeWidth), 4);
  }
  let i: usize = 0;
  for (let y = 0; y < height; y++) {
    const line = nearest(y, height, fullHeight) * fullWidth;
    const lineBefore = nearest(y, height, beforeHeight) * beforeWidth;
    for (let x = 0; x < width; x++, i++) {
      const from = <usize>(line + load<i32>(columns + ((<usize>x) << 3)));
      store<f64>(alpha + (i << 3), load<f64>(fullAlpha + (from << 3)));
      const to = own + i * 12;
      store<f32>(to, <f32>(<f64>load<u8>(image + from * 3) / 255));
      store<f32>(to, <f32>(<f64>load<u8>(image + from * 3, 1) / 255), 4);
      store<f32>(to, <f32>(<f64>load<u8>(image + from * 3, 2) / 255), 8);
      const old = before + <usize>(lineBefore + load<i32>(columns + ((<usize>x) << 3), 4)) * 24;
      v128.store(colours + i * 24, v128.load(old));
      store<u64>(colours + i * 24, load<u64>(old, 16), 16);
    }
  }
  for (let turn = 0; turn < turns; turn++) relax(colours, width, height, alpha, own);
}

// @ts-ignore: decorator
@inline
function nearest(at: i32, count: i32, from: i32): i32 {
  return min(from - 1, <i32>((<u64>at * <u64>from) / <u64>count));
}

/** Gauss-Seidel: at each pixel the two colours that explain its own, pulled to its neighbours' where alpha does not jump. */
function relax(colours: usize, width: i32, height: i32, alpha: usize, own: usize): void {
  for (let y = 0; y < height; y++) {
    const up: isize = y > 0 ? -(<isize>width) : 0;
    const down: isize = y < height - 1 ? <isize>width : 0;
    for (let x = 0; x < width; x++, alpha += 8, own += 12, colours += 24) {
      const a = load<f64>(alpha);
      const b = 1 - a;
      const left: isize = x > 0 ? -1 : 0;
      const right: isize = x < width - 1 ? 1 : 0;
      const wl = regularisation + Math.abs(a - load<f64>(alpha + left * 8));
      const wr = regularisation + Math.abs(a - load<f64>(alpha + right * 8));
      const wu = regularisation + Math.abs(a - load<f64>(alpha + up * 8));
      const wd = regularisation + Math.abs(a - load<f64>(alpha + down * 8));
      const pull = wl + wr + wu + wd;
      const m00 = a * a + pull;
      const m01 = a * b;
      const m11 = b * b + pull;
      const scale = f64x2.splat(1 / (m00 * m11 - m01 * m01));
      const shares = f64x2.replace_lane(f64x2.splat(a), 1, b);
      const straight = f64x2.replace_lane(f64x2.splat(m11), 1, m00);
      const crossed = f64x2.splat(m01);
      const vl = f64x2.splat(wl);
      const vr = f64x2.splat(wr);
      const vu = f64x2.splat(wu);
      const vd = f64x2.splat(wd);
      const l = colours + left * 24;
      const r = colours + right * 24;
      const u = colours + up * 24;
      const d = colours + down * 24;
      for (let c: usize = 0; c < 3; c++) {
        const at = c << 3;
        let sums = f64x2.mul(shares, f64x2.splat(<f64>load<f32>(own + (c << 2))));
        sums = f64x2.add(sums, f64x2.mul(vl, f64x2.promote_low_f32x4(v128.load64_zero(l + at))));
        sums = f64x2.add(sums, f64x2.mul(vr, f64x2.promote_low_f32x4(v128.load64_zero(r + at))));
        sums = f64x2.add(sums, f64x2.mul(vu, f64x2.promote_low_f32x4(v128.load64_zero(u + at))));
        sums = f64x2.add(sums, f64x2.mul(vd, f64x2.promote_low_f32x4(v128.load64_zero(d + at))));
        const swapped = v128.shuffle<u64>(sums, sums, 1, 0);
        const found = f64x2.mul(f64x2.sub(f64x2.mul(straight, sums), f64x2.mul(crossed, swapped)), scale);
        // The same as max and min for numbers, in an instruction each.
        const kept = f64x2.pmin(f64x2.splat(1), f64x2.pmax(f64x2.splat(0), found));
        v128.store64_lane(colours + at, f32x4.demote_f64x2_zero(kept), 0);
      }
    }
  }
}

/**
 * Sums of the colours of what is surely object and of what is surely background, and how many pixels they are: four numbers
 * each.
 */
export function foregroundMeans(image: usize, alpha: usize, pixels: i32, sums: usize): void {
  memory.fill(sums, 0, 64);
  for (const end = alpha + ((<usize>pixels) << 3); alpha < end; alpha += 8, image += 3) {
    const a = load<f64>(alpha);
    if (a >= 0.1 && a <= 0.9) continue;
    const to = a > 0.9 ? sums : sums + 32;
    store<f64>(to, load<f64>(to) + <f64>load<u8>(image) / 255);
    store<f64>(to, load<f64>(to, 8) + <f64>load<u8>(image, 1) / 255, 8);
    store<f64>(to, load<f64>(to, 16) + <f64>load<u8>(image, 2) / 255, 16);
    store<f64>(to, load<f64>(to, 24) + 1, 24);
  }
}

/** The object's colours alone, from 0 to 255. */
export function foregroundOwn(colours: usize, count: i32, out: usize): void {
  for (let k: usize = 0; k < <usize>count; k++) {
    store<f32>(out + (k << 2), <f32>(<f64>load<f32>(colours + (k << 3)) * 255));
  }
}

/** An object over `target` by its coverage, bytes rounded; nothing changes where that is 0, all where it is 255. */
export function layOver(target: usize, colour: usize, alpha: usize, pixels: i32): void {
  let i: usize = 0;
  const end = <usize>pixels;
  while (i < end) {
    if (i + 16 <= end) {
      const sixteen = v128.load(alpha + i);
      const isWhole = i8x16.all_true(i8x16.eq(sixteen, i8x16.splat(-1)));
      if (isWhole) memory.copy(target + i * 3, colour + i * 3, 48);
      if (isWhole || !v128.any_true(sixteen)) {
        i += 16;
        continue;
      }
    }
    for (const stop = min(i + 16, end); i < stop; i++) mixPixel(target + i * 3, colour + i * 3, load<u8>(alpha + i));
  }
}

// @ts-ignore: decorator
@inline
function mixPixel(target: usize, colour: usize, a: u32): void {
  if (a === 0) return;
  for (let c: usize = 0; c < 3; c++) {
    const mixed = a * load<u8>(colour + c) + (255 - a) * load<u8>(target + c);
    store<u8>(target + c, (mixed + 127) / 255);
  }
}
