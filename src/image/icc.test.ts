import { describe, expect, it } from 'vitest';
import { isSrgb } from './icc.ts';

type Tag = [name: string, body: number[]];

const ascii = (text: string) => [...text].map((c) => c.charCodeAt(0));
const u16 = (v: number) => [(v >> 8) & 255, v & 255];
const u32 = (v: number) => [...u16(v >>> 16), ...u16(v & 0xffff)];
const fixed = (v: number) => u32(Math.round(v * 65536));

function profile(space: string, tags: Tag[]): Uint8Array {
  const head = [...new Array(16).fill(0), ...ascii(space), ...new Array(108).fill(0), ...u32(tags.length)];
  let at = head.length + 12 * tags.length;
  const table = tags.flatMap(([name, body]) => {
    const entry = [...ascii(name), ...u32(at), ...u32(body.length)];
    at += body.length;
    return entry;
  });
  return Uint8Array.from([...head, ...table, ...tags.flatMap(([, body]) => body)]);
}

const xyz = (...v: number[]) => [...ascii('XYZ '), 0, 0, 0, 0, ...v.flatMap(fixed)];
const gamma = (g: number) => [...ascii('curv'), 0, 0, 0, 0, ...u32(1), ...u16(Math.round(g * 256)), 0, 0];
const para = (kind: number, ...v: number[]) => [...ascii('para'), 0, 0, 0, 0, ...u16(kind), 0, 0, ...v.flatMap(fixed)];
const table = (n: number, f: (x: number) => number) => {
  const values = Array.from({ length: n }, (_, i) => u16(Math.round(65535 * f(i / (n - 1)))));
  return [...ascii('curv'), 0, 0, 0, 0, ...u32(n), ...values.flat()];
};
const light = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

const srgb = [xyz(0.43607, 0.22249, 0.01392), xyz(0.38515, 0.71687, 0.09708), xyz(0.14307, 0.06061, 0.7141)];
const p3 = [xyz(0.5151, 0.2412, -0.0011), xyz(0.292, 0.6922, 0.0419), xyz(0.1571, 0.0666, 0.7841)];
const rgb = (primaries: number[][], curve: number[]) =>
  profile('RGB ', [
    ...['rXYZ', 'gXYZ', 'bXYZ'].map((name, i): Tag => [name, primaries[i]]),
    ...['rTRC', 'gTRC', 'bTRC'].map((name): Tag => [name, curve]),
  ]);

describe('isSrgb', () => {
  it('knows sRGB in the forms it is written', () => {
    expect(isSrgb(rgb(srgb, table(1024, light)))).toBe(true);
    expect(isSrgb(rgb(srgb, table(64, light)))).toBe(true);
    expect(isSrgb(rgb(srgb, para(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)))).toBe(true);
    expect(isSrgb(profile('GRAY', [['kTRC', table(1024, light)]]))).toBe(true);
  });

  it('takes nothing else for it', () => {
    expect(isSrgb(rgb(p3, table(1024, light)))).toBe(false);
    expect(isSrgb(rgb(srgb, gamma(2.2)))).toBe(false);
    expect(isSrgb(rgb(srgb, para(0, 1.8)))).toBe(false);
    expect(
      isSrgb(
        rgb(
          srgb,
          table(2, (x) => x),
        ),
      ),
    ).toBe(false);
    expect(isSrgb(profile('GRAY', [['kTRC', gamma(2.2)]]))).toBe(false);
    expect(isSrgb(profile('CMYK', []))).toBe(false);
    expect(isSrgb(profile('RGB ', []))).toBe(false);
    expect(isSrgb(Uint8Array.of(1, 2, 3))).toBe(false);
    expect(isSrgb(rgb(srgb, table(1024, light)).subarray(0, 200))).toBe(false);
  });
});
