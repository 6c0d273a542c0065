import type { Random } from '../../../contracts/random.ts';
import { createRaster, type Raster } from '../../../image/raster.ts';
import { plasmaClouds } from './plasma.ts';

/** One feather of ice: a bent stem with branches at an angle to both sides, and twigs on the branches. */
interface Feather {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly length: number;
  readonly halfWidth: number;
  /** Sideways shift of the stem at a distance u from its root: bend × u². */
  readonly bend: number;
  readonly branchSlope: number;
  readonly branchSpacing: number;
  readonly brightness: number;
  readonly seed: number;
}

/**
 * A picture of frost on a window: feathers of ice that grow from a few germs, over clouded ice. Lengths are in pixels up
 * to a side of 1,000 and grow with the picture from there.
 */
export function frostTexture(width: number, height: number, random: Random): Raster {
  const scale = Math.max(1, Math.max(width, height) / 1000);
  const ice = cloudedIce(width, height, random);
  for (const feather of growFeathers(width, height, scale, random)) drawFeather(ice, width, height, feather);
  return colourIce(ice, width, height);
}

/** Thin ice between the feathers: soft clouds, a quarter as fine as the picture, with a grain. */
function cloudedIce(width: number, height: number, random: Random): Float32Array {
  const clouds = plasmaClouds(width / 4 + 2, height / 4 + 2, 1.6, random.uniform);
  const ice = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const row = y >> 2;
    const down = (y & 3) / 4;
    let right = clouds(0, row);
    let rightBelow = clouds(0, row + 1);
    let left = right;
    let leftBelow = rightBelow;
    for (let x = 0; x < width; x++, i++) {
      if ((x & 3) === 0) {
        left = right;
        leftBelow = rightBelow;
        right = clouds((x >> 2) + 1, row);
        rightBelow = clouds((x >> 2) + 1, row + 1);
      }
      const across = (x & 3) / 4;
      const above = left + (right - left) * across;
      const below = leftBelow + (rightBelow - leftBelow) * across;
      ice[i] = 0.32 * (above + (below - above) * down) + 0.06 * random.uniform();
    }
  }
  return ice;
}

/** Fans of feathers, so many that most pixels lie under one. */
function growFeathers(width: number, height: number, scale: number, random: Random): Feather[] {
  const feathers: Feather[] = [];
  const between = (low: number, high: number) => low + (high - low) * random.uniform();
  let toCover = 2 * (width + 60 * scale) * (height + 60 * scale);
  while (toCover > 0) {
    const x = between(-40 * scale, width + 40 * scale);
    const y = between(-40 * scale, height + 40 * scale);
    const direction = between(0, 2 * Math.PI);
    const turn = random.uniform() < 0.5 ? -1 : 1;
    const count = random.integer(2, 5);
    const size = between(0.6, 1.4) * scale;
    for (let i = 0; i < count; i++) {
      const length = size * between(50, 130);
      const halfWidth = length * between(0.16, 0.3);
      feathers.push({
        x,
        y,
        angle: direction + turn * i * between(0.45, 0.85),
        length,
        halfWidth,
        bend: (turn * between(0, 0.35)) / length,
        branchSlope: between(0.5, 0.75),
        branchSpacing: size * between(4.5, 8),
        brightness: between(0.45, 1.1),
        seed: random.integer(0, 0x7fffffff),
      });
      toCover -= length * halfWidth;
    }
  }
  return feathers;
}

/** The brightest ice at each pixel is what one sees. */
function drawFeather(ice: Float32Array, width: number, height: number, feather: Feather): void {
  const { x: rootX, y: rootY, angle, length, bend } = feather;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const reach = feather.halfWidth + Math.abs(bend) * length * length;
  const top = Math.max(0, Math.floor(rootY + Math.min(0, length * sin) - reach * Math.abs(cos)));
  const bottom = Math.min(height - 1, Math.ceil(rootY + Math.max(0, length * sin) + reach * Math.abs(cos)));
  for (let y = top; y <= bottom; y++) {
    const dy = y - rootY;
    const [left, right] = common(within(cos, dy * sin, 0, length), within(-sin, dy * cos, -reach, reach));
    const last = Math.min(width - 1, Math.floor(rootX + right));
    for (let x = Math.max(0, Math.ceil(rootX + left)); x <= last; x++) {
      const dx = x - rootX;
      const along = dx * cos + dy * sin;
      const across = dy * cos - dx * sin - bend * along * along;
      const value = featherAt(feather, along, across);
      const i = y * width + x;
      if (value > ice[i]) ice[i] = value;
    }
  }
}

type Range = readonly [low: number, high: number];

/** Between which x slope · x + offset lies between low and high. */
function within(slope: number, offset: number, low: number, high: number): Range {
  if (Math.abs(slope) < 1e-9) return offset >= low && offset <= high ? [-1e9, 1e9] : [1, 0];
  const ends = [(low - offset) / slope, (high - offset) / slope];
  return slope > 0 ? [ends[0], ends[1]] : [ends[1], ends[0]];
}

const common = (a: Range, b: Range): Range => [Math.max(a[0], b[0]), Math.min(a[1], b[1])];

/** Brightness of a feather at a place given along and across its stem. */
function featherAt(feather: Feather, along: number, across: number): number {
  const { length, halfWidth, branchSlope, branchSpacing, brightness, seed } = feather;
  const distance = Math.abs(across);
  const root = along - distance * branchSlope;
  if (root < 0) return 0;
  const branch = root / branchSpacing;
  const index = Math.floor(branch);
  const side = across < 0 ? 1 : 0;
  // Each branch has a length of its own; the feather is widest at a third of its stem.
  const place = root / length;
  const full = halfWidth * 2.6 * Math.sqrt(place) * (1 - place) * (0.55 + 0.45 * hash(seed, 2 * index + side));
  if (distance > full + 1) return 0;
  const fade = Math.min(1, (full + 1 - distance) / (0.35 * full + 1));
  const offset = Math.abs(branch - index - 0.5) * 2;
  const spine = (1 - offset) * (1 - offset);
  const twig = (distance * 1.2 - offset * branchSpacing * 0.4) / (branchSpacing * 0.5);
  // What % 1 gives, which is computed far more slowly.
  const twigs = Math.abs((twig - Math.trunc(twig)) * 2 - 1);
  const stem = Math.max(0, 1 - distance / (0.6 + 1.2 * (1 - along / length)));
  const shade = 0.4 + 0.55 * spine + 0.35 * twigs * (1 - spine);
  return brightness * Math.max(stem, fade * shade * (0.75 + 0.25 * hash(seed, -1 - 2 * index - side)));
}

/** 0…1, the same for the same numbers. */
function hash(seed: number, index: number): number {
  let value = Math.imul(seed ^ Math.imul(index, 0x9e3779b1), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return ((value ^ (value >>> 13)) >>> 8) / 2 ** 24;
}

/** From the dark blue of clear glass over pale blue to white, in 256 steps. */
function colourIce(ice: Float32Array, width: number, height: number): Raster {
  const ramp = createRaster(256, 1);
  for (let step = 0; step < 256; step++) {
    const value = step / 255;
    ramp.data[3 * step] = 18 + 232 * value ** 1.15;
    ramp.data[3 * step + 1] = 32 + 221 * value;
    ramp.data[3 * step + 2] = 52 + 203 * value ** 0.85;
  }
  const out = createRaster(width, height);
  for (let p = 0, i = 0; p < ice.length; p++, i += 3) {
    const step = 3 * Math.min(255, Math.round(255 * ice[p]));
    out.data[i] = ramp.data[step];
    out.data[i + 1] = ramp.data[step + 1];
    out.data[i + 2] = ramp.data[step + 2];
  }
  return out;
}
