/** Index into [0, size) of a position outside it, mirrored without repeating the edge pixel (OpenCV's REFLECT_101). */
export function reflect(index: number, size: number): number {
  if (size === 1) return 0;
  const period = 2 * (size - 1);
  const at = ((index % period) + period) % period;
  return at < size ? at : period - at;
}

/** Source positions for −radius … size + radius − 1. */
export function reflectedIndices(size: number, radius: number): Int32Array {
  return Int32Array.from({ length: size + 2 * radius }, (_, i) => reflect(i - radius, size));
}
