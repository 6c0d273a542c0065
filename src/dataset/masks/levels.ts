/**
 * Masks are long runs of one level. Both loops look at four pixels at once and do the work anew only where they differ from
 * the four before. Each by itself: V8 compiles a function while its loop runs, and would throw that away where the loop
 * ends and more code follows.
 */
export function histogram(values: Uint8Array): Uint32Array {
  const table = new Uint32Array(256);
  const words = wordsOf(values);
  if (words) countWords(words, table);
  for (let i = 4 * (words?.length ?? 0); i < values.length; i++) table[values[i]]++;
  return table;
}

/** `out[i] = table[levels[i]]`. */
export function lookUp(levels: Uint8Array, table: Uint8Array, out: Uint8Array): void {
  const words = wordsOf(levels);
  const outWords = words && wordsOf(out);
  if (outWords) translateWords(words, table, outWords);
  for (let i = 4 * (outWords?.length ?? 0); i < out.length; i++) out[i] = table[levels[i]];
}

/** Undefined where the bytes do not lie on a boundary of four. */
function wordsOf({ buffer, byteOffset, length }: Uint8Array): Uint32Array | undefined {
  return byteOffset % 4 ? undefined : new Uint32Array(buffer, byteOffset, length >> 2);
}

function countWords(words: Uint32Array, table: Uint32Array): void {
  let last = words[0];
  let run = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word !== last) {
      addWord(last, run, table);
      last = word;
      run = 0;
    }
    run++;
  }
  if (run) addWord(last, run, table);
}

function addWord(word: number, times: number, table: Uint32Array): void {
  table[word & 255] += times;
  table[(word >>> 8) & 255] += times;
  table[(word >>> 16) & 255] += times;
  table[word >>> 24] += times;
}

function translateWords(words: Uint32Array, table: Uint8Array, out: Uint32Array): void {
  let last = 0;
  let translated = translateWord(last, table);
  for (let i = 0; i < out.length; i++) {
    const word = words[i];
    if (word !== last) {
      last = word;
      translated = translateWord(word, table);
    }
    out[i] = translated;
  }
}

const translateWord = (word: number, table: Uint8Array): number =>
  (table[word & 255] |
    (table[(word >>> 8) & 255] << 8) |
    (table[(word >>> 16) & 255] << 16) |
    (table[word >>> 24] << 24)) >>>
  0;
