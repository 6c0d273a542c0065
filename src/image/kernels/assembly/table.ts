/** Each channel of the pixels where mask ^ invert is 255 looked up in its own table of 256 bytes; in place. */
export function lookUp(image: usize, mask: usize, invert: i32, pixels: i32, tables: usize): void {
  for (let i: usize = 0; i < <usize>pixels; i++) {
    if ((<i32>load<u8>(mask + i) ^ invert) === 0) continue;
    const at = image + i * 3;
    store<u8>(at, load<u8>(tables + <usize>load<u8>(at)));
    store<u8>(at, load<u8>(tables + <usize>load<u8>(at, 1), 256), 1);
    store<u8>(at, load<u8>(tables + <usize>load<u8>(at, 2), 512), 2);
  }
}

/** image = table[image · 256 + other] where mask ^ invert is 255; in place. */
export function combine(image: usize, other: usize, mask: usize, invert: i32, pixels: i32, table: usize): void {
  for (let i: usize = 0; i < <usize>pixels; i++) {
    if ((<i32>load<u8>(mask + i) ^ invert) === 0) continue;
    const a = image + i * 3;
    const b = other + i * 3;
    store<u8>(a, load<u8>(table + ((<usize>load<u8>(a) << 8) | <usize>load<u8>(b))));
    store<u8>(a, load<u8>(table + ((<usize>load<u8>(a, 1) << 8) | <usize>load<u8>(b, 1))), 1);
    store<u8>(a, load<u8>(table + ((<usize>load<u8>(a, 2) << 8) | <usize>load<u8>(b, 2))), 2);
  }
}

// @ts-ignore: decorator
@inline
function spread<T>(image: usize, pixels: usize, tables: usize, target: usize, planes: usize, step: usize, swap: bool): void {
  const size = sizeof<T>();
  const t0 = tables;
  const t1 = tables + 256 * size;
  const t2 = tables + 512 * size;
  let out0 = swap ? target + 2 * planes : target;
  let out1 = target + planes;
  let out2 = swap ? target : target + 2 * planes;
  for (let i: usize = 0; i < pixels; i++) {
    store<T>(out0, load<T>(t0 + <usize>load<u8>(image) * size));
    store<T>(out1, load<T>(t1 + <usize>load<u8>(image, 1) * size));
    store<T>(out2, load<T>(t2 + <usize>load<u8>(image, 2) * size));
    image += 3;
    out0 += step;
    out1 += step;
    out2 += step;
  }
}

/** Four numbers of 32 bits, looked up by every third byte. */
// @ts-ignore: decorator
@inline
function fourOf(image: usize, table: usize): v128 {
  let four = v128.load32_zero(table + (<usize>load<u8>(image) << 2));
  four = v128.load32_lane(table + (<usize>load<u8>(image, 3) << 2), four, 1);
  four = v128.load32_lane(table + (<usize>load<u8>(image, 6) << 2), four, 2);
  return v128.load32_lane(table + (<usize>load<u8>(image, 9) << 2), four, 3);
}

/** `spread` to planes of 32-bit numbers, four pixels at a time. */
function spreadPlanes(image: usize, pixels: usize, tables: usize, target: usize, planes: usize, swap: bool): void {
  let out0 = swap ? target + 2 * planes : target;
  let out1 = target + planes;
  let out2 = swap ? target : target + 2 * planes;
  const whole = pixels & ~3;
  for (const end = image + whole * 3; image < end; image += 12, out0 += 16, out1 += 16, out2 += 16) {
    v128.store(out0, fourOf(image, tables));
    v128.store(out1, fourOf(image + 1, tables + 1024));
    v128.store(out2, fourOf(image + 2, tables + 2048));
  }
  spread<u32>(image, pixels - whole, tables, target + (whole << 2), planes, 4, swap);
}

/**
 * A picture's channels looked up in three tables of values of `size` bytes. `planes` and `step` are the distances, in
 * bytes, between a pixel's channels and between pixels in the output; `swap` writes blue first.
 */
export function tensor(
  image: usize,
  pixels: i32,
  tables: usize,
  size: i32,
  target: usize,
  planes: i32,
  step: i32,
  swap: i32,
): void {
  if (size === 4 && step === 4) spreadPlanes(image, pixels, tables, target, planes, swap !== 0);
  else if (size === 4) spread<u32>(image, pixels, tables, target, planes, step, swap !== 0);
  else if (size === 2) spread<u16>(image, pixels, tables, target, planes, step, swap !== 0);
  else spread<u8>(image, pixels, tables, target, planes, step, swap !== 0);
}

/** Rows of pixels picked by byte offsets; one or three channels. */
export function pick(
  source: usize,
  target: usize,
  rows: i32,
  rowOffsets: usize,
  width: i32,
  columnOffsets: usize,
  channels: i32,
): void {
  const stride = <usize>(width * channels);
  const end = columnOffsets + (<usize>width << 2);
  let to = target;
  for (let y: usize = 0; y < <usize>rows; y++) {
    const offset = load<u32>(rowOffsets + (y << 2));
    if (y > 0 && offset === load<u32>(rowOffsets + ((y - 1) << 2))) {
      memory.copy(to, to - stride, stride);
      to += stride;
      continue;
    }
    const row = source + <usize>offset;
    if (channels === 1) {
      for (let x = columnOffsets; x < end; x += 4, to++) store<u8>(to, load<u8>(row + <usize>load<u32>(x)));
    } else {
      for (let x = columnOffsets; x < end; x += 4, to += 3) {
        const from = row + <usize>load<u32>(x);
        store<u16>(to, load<u16>(from));
        store<u8>(to, load<u8>(from, 2), 2);
      }
    }
  }
}
