/** PASCAL VOC's colour of a class number (its development kit's `VOCcolormap`): bits of the number dealt to red, green, blue. */
export function vocColour(index: number): number {
  let [red, green, blue] = [0, 0, 0];
  for (let bit = 7, rest = index; bit >= 0; bit--, rest >>= 3) {
    red |= (rest & 1) << bit;
    green |= ((rest >> 1) & 1) << bit;
    blue |= ((rest >> 2) & 1) << bit;
  }
  return (red << 16) | (green << 8) | blue;
}

/** Class number of a VOC colour, 0xRRGGBB. */
export const vocIndexOfColour: ReadonlyMap<number, number> = new Map(
  Array.from({ length: 256 }, (_, index) => [vocColour(index), index]),
);
