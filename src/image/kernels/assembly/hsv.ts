import { blue, green, loadPlanes, pack, quarter, red, storePlanes, storeRegion } from './planes';

// OpenCV's vector code is followed step by step: it truncates, and it fuses 1 − a · b into one rounding, which double
// precision gives here.

/** (diff · round(scale / by) + 2^11) >> 12. The rounded quotient equals OpenCV's tables for 1 … 255. */
// @ts-ignore: decorator
@inline
function scaled(value: v128, scale: f32, by: v128): v128 {
  const quotient = f32x4.nearest(f32x4.div(f32x4.splat(scale), f32x4.convert_i32x4_s(by)));
  const factor = v128.and(i32x4.trunc_sat_f32x4_s(quotient), i32x4.gt_s(by, i32x4.splat(0)));
  return i32x4.shr_s(i32x4.add(i32x4.mul(value, factor), i32x4.splat(1 << 11)), 12);
}

/** Integer bytes × 1/255 in single precision. */
// @ts-ignore: decorator
@inline
function unit(v: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(v), f32x4.splat(<f32>(1.0 / 255.0)));
}

/** 1 − a · b, rounded once. */
// @ts-ignore: decorator
@inline
function oneLess(a: v128, b: v128): v128 {
  const one = f64x2.splat(1);
  const high = i8x16.splat(0);
  const a1 = i8x16.shuffle(a, high, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
  const b1 = i8x16.shuffle(b, high, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
  const low = f64x2.sub(one, f64x2.mul(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(b)));
  const up = f64x2.sub(one, f64x2.mul(f64x2.promote_low_f32x4(a1), f64x2.promote_low_f32x4(b1)));
  return i64x2.shuffle(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(up), 0, 2);
}

// @ts-ignore: decorator
@inline
function toByte(v: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.mul(v, f32x4.splat(255)));
}

// @ts-ignore: decorator
@inline
function lowTone(s: v128, v: v128): v128 {
  return toByte(f32x4.mul(v, f32x4.sub(f32x4.splat(1), s)));
}
// @ts-ignore: decorator
@inline
function middleTone(s: v128, v: v128, share: v128): v128 {
  return toByte(f32x4.mul(v, oneLess(s, share)));
}

/** Hue set to `sector` + `fraction` of a sector (0–5), saturation and value kept, where mask ^ invert is 255; in place. */
export function setHue(image: usize, mask: usize, invert: i32, pixels: i32, sector: i32, fraction: f32): void {
  const flip = i8x16.splat(<i8>invert);
  // Even sectors rise by 1 − s·(1 − f), odd ones fall by 1 − s·f.
  const share = f32x4.splat((sector & 1) === 0 ? <f32>1 - fraction : fraction);
  for (let i = 0; i < pixels; i += 16) {
    const m = v128.xor(v128.load(mask + <usize>i), flip);
    if (!v128.any_true(m)) continue;
    const at = image + <usize>i * 3;
    loadPlanes(at);
    const top = i8x16.max_u(red, i8x16.max_u(green, blue));
    const span = i8x16.sub(top, i8x16.min_u(red, i8x16.min_u(green, blue)));
    const v0 = quarter(top, 0);
    const v1 = quarter(top, 1);
    const v2 = quarter(top, 2);
    const v3 = quarter(top, 3);
    const s0 = unit(scaled(quarter(span, 0), 1044480, v0));
    const s1 = unit(scaled(quarter(span, 1), 1044480, v1));
    const s2 = unit(scaled(quarter(span, 2), 1044480, v2));
    const s3 = unit(scaled(quarter(span, 3), 1044480, v3));
    const f0 = unit(v0);
    const f1 = unit(v1);
    const f2 = unit(v2);
    const f3 = unit(v3);
    const low = pack(lowTone(s0, f0), lowTone(s1, f1), lowTone(s2, f2), lowTone(s3, f3));
    const middle = pack(
      middleTone(s0, f0, share),
      middleTone(s1, f1, share),
      middleTone(s2, f2, share),
      middleTone(s3, f3, share),
    );
    if (sector === 0) storeRegion(at, top, middle, low, m);
    else if (sector === 1) storeRegion(at, middle, top, low, m);
    else if (sector === 2) storeRegion(at, low, top, middle, m);
    else if (sector === 3) storeRegion(at, low, middle, top, m);
    else if (sector === 4) storeRegion(at, middle, low, top, m);
    else storeRegion(at, top, low, middle, m);
  }
}

let hue: v128 = i8x16.splat(0);
let saturation: v128 = i8x16.splat(0);

/** Hue (0–179) and saturation of four pixels, as integers. */
// @ts-ignore: decorator
@inline
function hueOf(r: v128, g: v128, b: v128, v: v128, span: v128): v128 {
  const isRed = i32x4.eq(v, r);
  const isGreen = i32x4.eq(v, g);
  const fromRed = i32x4.sub(g, b);
  const fromGreen = i32x4.add(i32x4.sub(b, r), i32x4.shl(span, 1));
  const fromBlue = i32x4.add(i32x4.sub(r, g), i32x4.shl(span, 2));
  const turn = v128.bitselect(fromRed, v128.bitselect(fromGreen, fromBlue, isGreen), isRed);
  const h = scaled(turn, 122880, span);
  return i32x4.add(h, v128.and(i32x4.splat(180), i32x4.lt_s(h, i32x4.splat(0))));
}

let tone0: v128 = i8x16.splat(0);
let tone1: v128 = i8x16.splat(0);
let tone2: v128 = i8x16.splat(0);

/** Four pixels from hue, saturation and value (integers) to red, green and blue (integers in the tones). */
// @ts-ignore: decorator
@inline
function fromHsv(h: v128, s: v128, v: v128): void {
  const turn = f32x4.mul(f32x4.convert_i32x4_s(h), f32x4.splat(<f32>6 / <f32>180));
  const whole = i32x4.trunc_sat_f32x4_s(turn);
  const fraction = f32x4.sub(turn, f32x4.convert_i32x4_s(whole));
  const sector = i32x4.sub(whole, v128.and(i32x4.splat(6), i32x4.gt_s(whole, i32x4.splat(5))));
  const us = unit(s);
  const uv = unit(v);
  const low = lowTone(us, uv);
  const falling = middleTone(us, uv, fraction);
  const rising = middleTone(us, uv, f32x4.sub(f32x4.splat(1), fraction));
  const is0 = i32x4.eq(sector, i32x4.splat(0));
  const is1 = i32x4.eq(sector, i32x4.splat(1));
  const is2 = i32x4.eq(sector, i32x4.splat(2));
  const is3 = i32x4.eq(sector, i32x4.splat(3));
  const is4 = i32x4.eq(sector, i32x4.splat(4));
  const is5 = i32x4.eq(sector, i32x4.splat(5));
  tone0 = v128.bitselect(v, v128.bitselect(falling, v128.bitselect(rising, low, is4), is1), v128.or(is0, is5));
  tone1 = v128.bitselect(v, v128.bitselect(rising, v128.bitselect(falling, low, is3), is0), v128.or(is1, is2));
  tone2 = v128.bitselect(v, v128.bitselect(rising, v128.bitselect(falling, low, is5), is2), v128.or(is3, is4));
}

/** Hue turned by `by` (0–179) where mask ^ invert is 255; in place. */
export function shiftHue(image: usize, mask: usize, invert: i32, pixels: i32, by: i32): void {
  const flip = i8x16.splat(<i8>invert);
  const step = i32x4.splat(by);
  for (let i = 0; i < pixels; i += 16) {
    const m = v128.xor(v128.load(mask + <usize>i), flip);
    if (!v128.any_true(m)) continue;
    const at = image + <usize>i * 3;
    loadPlanes(at);
    const r = red;
    const g = green;
    const b = blue;
    const top = i8x16.max_u(r, i8x16.max_u(g, b));
    const spans = i8x16.sub(top, i8x16.min_u(r, i8x16.min_u(g, b)));
    shiftQuarter(quarter(r, 0), quarter(g, 0), quarter(b, 0), quarter(top, 0), quarter(spans, 0), step);
    const r0 = tone0;
    const g0 = tone1;
    const b0 = tone2;
    shiftQuarter(quarter(r, 1), quarter(g, 1), quarter(b, 1), quarter(top, 1), quarter(spans, 1), step);
    const r1 = tone0;
    const g1 = tone1;
    const b1 = tone2;
    shiftQuarter(quarter(r, 2), quarter(g, 2), quarter(b, 2), quarter(top, 2), quarter(spans, 2), step);
    const r2 = tone0;
    const g2 = tone1;
    const b2 = tone2;
    shiftQuarter(quarter(r, 3), quarter(g, 3), quarter(b, 3), quarter(top, 3), quarter(spans, 3), step);
    storeRegion(at, pack(r0, r1, r2, tone0), pack(g0, g1, g2, tone1), pack(b0, b1, b2, tone2), m);
  }
}

// @ts-ignore: decorator
@inline
function shiftQuarter(r: v128, g: v128, b: v128, v: v128, span: v128, step: v128): void {
  const turned = i32x4.add(hueOf(r, g, b, v, span), step);
  const h = i32x4.sub(turned, v128.and(i32x4.splat(180), i32x4.gt_s(turned, i32x4.splat(179))));
  fromHsv(h, scaled(span, 1044480, v), v);
}

export function rgbToHsv(source: usize, target: usize, pixels: i32): void {
  for (let i = 0; i < pixels; i += 16) {
    loadPlanes(source + <usize>i * 3);
    const r = red;
    const g = green;
    const b = blue;
    const top = i8x16.max_u(r, i8x16.max_u(g, b));
    const spans = i8x16.sub(top, i8x16.min_u(r, i8x16.min_u(g, b)));
    hue = pack(
      hueOf(quarter(r, 0), quarter(g, 0), quarter(b, 0), quarter(top, 0), quarter(spans, 0)),
      hueOf(quarter(r, 1), quarter(g, 1), quarter(b, 1), quarter(top, 1), quarter(spans, 1)),
      hueOf(quarter(r, 2), quarter(g, 2), quarter(b, 2), quarter(top, 2), quarter(spans, 2)),
      hueOf(quarter(r, 3), quarter(g, 3), quarter(b, 3), quarter(top, 3), quarter(spans, 3)),
    );
    saturation = pack(
      scaled(quarter(spans, 0), 1044480, quarter(top, 0)),
      scaled(quarter(spans, 1), 1044480, quarter(top, 1)),
      scaled(quarter(spans, 2), 1044480, quarter(top, 2)),
      scaled(quarter(spans, 3), 1044480, quarter(top, 3)),
    );
    storePlanes(target + <usize>i * 3, hue, saturation, top);
  }
}

export function hsvToRgb(source: usize, target: usize, pixels: i32): void {
  for (let i = 0; i < pixels; i += 16) {
    loadPlanes(source + <usize>i * 3);
    const h = red;
    const s = green;
    const v = blue;
    fromHsv(quarter(h, 0), quarter(s, 0), quarter(v, 0));
    const r0 = tone0;
    const g0 = tone1;
    const b0 = tone2;
    fromHsv(quarter(h, 1), quarter(s, 1), quarter(v, 1));
    const r1 = tone0;
    const g1 = tone1;
    const b1 = tone2;
    fromHsv(quarter(h, 2), quarter(s, 2), quarter(v, 2));
    const r2 = tone0;
    const g2 = tone1;
    const b2 = tone2;
    fromHsv(quarter(h, 3), quarter(s, 3), quarter(v, 3));
    const to = target + <usize>i * 3;
    storePlanes(to, pack(r0, r1, r2, tone0), pack(g0, g1, g2, tone1), pack(b0, b1, b2, tone2));
  }
}
