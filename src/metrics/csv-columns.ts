import { decodeField, fieldEnd, isQuoted } from '../formats/csv-scan.ts';
import { parseNumber, type TextColumn } from './analyze/table.ts';

export function decodeText(
  bytes: Buffer,
  starts: Uint32Array,
  width: number,
  column: number,
  delimiter: number,
): TextColumn {
  const rows = starts.length / width - 1;
  const codes = new Uint32Array(rows);
  const levels: string[] = [];
  let slots = new Int32Array(1024).fill(-1);
  let mask = slots.length - 1;
  const hashes: number[] = [];
  const firsts: number[] = [];
  const lengths: number[] = [];
  const special = new Map<string, number>();
  const addSpecial = (text: string): number => {
    let code = special.get(text);
    if (code === undefined) {
      code = levels.push(text) - 1;
      hashes.push(0);
      firsts.push(0);
      lengths.push(-1);
      special.set(text, code);
    }
    return code;
  };
  for (let row = 0; row < rows; row++) {
    const start = starts[(row + 1) * width + column];
    if (isQuoted(bytes, start)) {
      codes[row] = addSpecial(decodeField(bytes, start, delimiter));
      continue;
    }
    const end = fieldEnd(bytes, start, delimiter);
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    let code = slots[slot];
    while (code >= 0 && !(hashes[code] === hash && sameBytes(bytes, firsts[code], lengths[code], start, end))) {
      slot = (slot + 1) & mask;
      code = slots[slot];
    }
    if (code < 0) {
      code = levels.push(bytes.toString('utf8', start, end)) - 1;
      slots[slot] = code;
      hashes.push(hash);
      firsts.push(start);
      lengths.push(end - start);
      if (levels.length * 2 > slots.length) {
        slots = new Int32Array(slots.length * 4).fill(-1);
        mask = slots.length - 1;
        for (let known = 0; known < levels.length; known++) {
          if (lengths[known] < 0) continue;
          let free = hashes[known] & mask;
          while (slots[free] >= 0) free = (free + 1) & mask;
          slots[free] = known;
        }
      }
    }
    codes[row] = code;
  }
  return special.size ? mergeEqual(codes, levels) : { codes, levels };
}

function sameBytes(bytes: Buffer, first: number, length: number, start: number, end: number): boolean {
  if (end - start !== length) return false;
  for (let i = 0; i < length; i++) if (bytes[first + i] !== bytes[start + i]) return false;
  return true;
}

/** One word may have been written both with and without quotes. */
function mergeEqual(codes: Uint32Array, levels: string[]): TextColumn {
  const index = new Map<string, number>();
  const map = levels.map((level) => {
    if (!index.has(level)) index.set(level, index.size);
    return index.get(level) as number;
  });
  return { codes: codes.map((code) => map[code]), levels: [...index.keys()] };
}

const powersOfTen = Array.from({ length: 23 }, (_, i) => 10 ** i);

/** The column as numbers, or the first row that is none. */
export function decodeNumbers(
  bytes: Buffer,
  starts: Uint32Array,
  width: number,
  column: number,
  delimiter: number,
): Float64Array | number {
  const rows = starts.length / width - 1;
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const start = starts[(row + 1) * width + column];
    const plain = plainDecimal(bytes, start, delimiter);
    if (plain !== undefined) {
      values[row] = plain;
      continue;
    }
    const value = parseNumber(decodeField(bytes, start, delimiter));
    if (value === undefined) return row;
    values[row] = value;
  }
  return values;
}

/**
 * `-12.345` with at most 15 digits: digits and power of ten are both exact in a double, so one division rounds once and
 * gives the same number as a full parser (Clinger, 1990). Anything else is undefined.
 */
function plainDecimal(bytes: Buffer, start: number, delimiter: number): number | undefined {
  let i = start;
  const negative = bytes[i] === 0x2d;
  if (negative) i++;
  let digits = 0;
  let value = 0;
  let point = -1;
  for (; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits > 15) return undefined;
      value = value * 10 + (byte - 0x30);
    } else if (byte === 0x2e && point < 0) point = digits;
    else if (byte === delimiter || byte === 0x0a || byte === 0x0d) break;
    else return undefined;
  }
  if (digits === 0) return undefined;
  const result = point < 0 ? value : value / powersOfTen[digits - point];
  return negative ? -result : result;
}
