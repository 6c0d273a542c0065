/** sRGB's primaries adapted to D50 (IEC 61966-2-1 and Bradford), as rows red, green, blue of X, Y, Z. */
const srgbPrimaries = [
  [0.4361, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7141],
];

/** From light to sRGB's level, both 0–1. */
const srgbLevel = (light: number) => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);

/**
 * Whether a profile describes sRGB: its primaries, and curves within one 8-bit level (the small sRGB profiles that web
 * services embed are that far off). Such a profile is left alone: a conversion would move some pixels by a level and
 * change nothing that can be seen.
 */
export function isSrgb(profile: Uint8Array): boolean {
  try {
    const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
    const tags = readTags(view);
    if (ascii(view, 16) === 'GRAY') return curveMatches(view, tags.get('kTRC'));
    if (ascii(view, 16) !== 'RGB ') return false;
    const primaries = ['rXYZ', 'gXYZ', 'bXYZ'].every((name, i) => {
      const at = tags.get(name);
      if (at === undefined) return false;
      return srgbPrimaries[i].every((v, k) => Math.abs(view.getInt32(at + 8 + 4 * k) / 65536 - v) < 0.002);
    });
    return primaries && ['rTRC', 'gTRC', 'bTRC'].every((name) => curveMatches(view, tags.get(name)));
  } catch {
    return false;
  }
}

const ascii = (view: DataView, at: number) => String.fromCharCode(...[0, 1, 2, 3].map((k) => view.getUint8(at + k)));

function readTags(view: DataView): Map<string, number> {
  const tags = new Map<string, number>();
  for (let i = 0; i < view.getUint32(128); i++) {
    const at = 132 + 12 * i;
    tags.set(ascii(view, at), view.getUint32(at + 4));
  }
  return tags;
}

function curveMatches(view: DataView, at: number | undefined): boolean {
  if (at === undefined) return false;
  const curve = readCurve(view, at);
  for (let i = 0; i <= 32; i++) {
    if (Math.abs(srgbLevel(curve(i / 32)) - i / 32) > 1 / 255) return false;
  }
  return true;
}

/** `curv` (ICC.1 10.6) and `para` (10.18). */
function readCurve(view: DataView, at: number): (x: number) => number {
  if (ascii(view, at) === 'para') {
    const kind = view.getUint16(at + 8);
    const [g, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: [1, 3, 4, 5, 7][kind] }, (_, i) => {
      return view.getInt32(at + 12 + 4 * i) / 65536;
    });
    const power = (x: number) => Math.max(0, a * x + b) ** g;
    if (kind === 0) return (x) => x ** g;
    if (kind === 1) return (x) => (x >= -b / a ? power(x) : 0);
    if (kind === 2) return (x) => (x >= -b / a ? power(x) + c : c);
    return (x) => (x >= d ? power(x) + e : c * x + f);
  }
  const count = view.getUint32(at + 8);
  if (count === 0) return (x) => x;
  if (count === 1) return (x) => x ** (view.getUint16(at + 12) / 256);
  return (x) => {
    const place = x * (count - 1);
    const low = Math.min(count - 2, Math.floor(place));
    const [a, b] = [low, low + 1].map((i) => view.getUint16(at + 12 + 2 * i) / 65535);
    return a + (b - a) * (place - low);
  };
}
