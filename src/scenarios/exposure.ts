/** Light of an 8-bit sRGB level, 0–1 (IEC 61966-2-1). */
export function toLinear(level: number): number {
  const v = level / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
}

/** The nearest 8-bit sRGB level; light above 1 saturates. */
export function fromLinear(light: number): number {
  const v = Math.min(1, Math.max(0, light));
  return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
}

/** Levels after the light is multiplied: what a longer or shorter exposure does before the camera's tone curve. */
export const gainTable = (gain: number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, level) => fromLinear(toLinear(level) * gain));

/** One stop is twice the light. */
export const exposureTable = (stops: number): Uint8Array => gainTable(2 ** stops);
