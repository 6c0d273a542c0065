/** Where an index outside 0…length − 1 reads from. */
export type Border = (index: number, length: number) => number;

/** aaa|abcd|ddd: SciPy's `nearest`, OpenCV's `REPLICATE`, ImageMagick's `edge`. */
export const nearest: Border = (index, length) => (index < 0 ? 0 : index >= length ? length - 1 : index);

/** dcba|abcd|dcba: SciPy's `reflect`, OpenCV's `REFLECT`. */
export const reflect: Border = (index, length) => {
  if (index >= 0 && index < length) return index;
  const period = 2 * length;
  const folded = ((index % period) + period) % period;
  return folded < length ? folded : period - 1 - folded;
};

/** dcb|abcd|cba: SciPy's `mirror`, OpenCV's `REFLECT_101`. */
export const mirror: Border = (index, length) => {
  if (index >= 0 && index < length) return index;
  if (length === 1) return 0;
  const period = 2 * length - 2;
  const folded = ((index % period) + period) % period;
  return folded < length ? folded : period - folded;
};
