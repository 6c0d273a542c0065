/**
 * `make`, which is asked for the same several times within one photograph, with the last of what it made at hand. Few, and not in a
 * Map, whose former tables keep what was taken out of it: kept for longer, tables would be freed only when the whole heap is
 * collected.
 */
export function keepLast<Asked extends readonly unknown[], Made>(
  most: number,
  make: (...asked: Asked) => Made,
): (...asked: Asked) => Made {
  const last: { readonly asked: Asked; readonly made: Made }[] = [];
  let oldest = 0;
  return (...asked) => {
    const known = last.find((entry) => entry.asked.every((value, i) => value === asked[i]));
    if (known) return known.made;
    const made = make(...asked);
    last[oldest] = { asked, made };
    oldest = (oldest + 1) % most;
    return made;
  };
}
