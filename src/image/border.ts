/** Index into [0, size) of a position outside it, mirrored without repeating the edge pixel (OpenCV's REFLECT_101). */
export function reflect(index: number, size: number): number {
  if (size === 1) return 0;
  const period = 2 * (size - 1);
  const at = ((index % period) + period) % period;
  return at < size ? at : period - at;
}

/** Source positions of −before … size + after − 1. */
export function reflectedIndices(size: number, before: number, after = before): Int32Array {
  const indices = new Int32Array(size + before + after);
  for (let i = 0; i < indices.length; i++) indices[i] = reflect(i - before, size);
  return indices;
}
