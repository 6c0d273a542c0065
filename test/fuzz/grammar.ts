import type { Random } from '../../src/contracts/random.ts';

/** Numbers that programs forget. */
export const oddNumber = (random: Random): number =>
  random.pick([
    0,
    1,
    -1,
    0.5,
    24,
    16,
    1e9,
    -1e9,
    2 ** 31,
    2 ** 53,
    1e308,
    -0,
    40_000,
    65_536,
    random.integer(-50, 50),
    random.normal() * 100,
  ]);

const oddTexts = [
  '',
  ' ',
  'cat',
  'n02110958',
  '../../etc/passwd',
  '=1+1',
  '<script>',
  '&#x110000;',
  '&amp;',
  '\u0000',
  '\u001b[31m',
  '"',
  "'",
  ',',
  ';',
  '\n',
  '\r\n',
  '__proto__',
  'constructor',
  '💥',
  'é',
  '\ud800',
  'NaN',
  '1e999',
  '/',
  '.',
  'CON',
  'a'.repeat(300),
  'null',
  '[]',
  '{}',
  '%00',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text that looks like a template, and is none
  '${x}',
  '1|2|-3',
];
export const oddText = (random: Random): string =>
  random.uniform() < 0.7
    ? random.pick(oddTexts)
    : Array.from({ length: random.integer(0, 12) }, () => String.fromCodePoint(random.integer(1, 0x2ff))).join('');

/** Any JSON value, not too deep. */
export function oddValue(random: Random, depth = 2): unknown {
  const kind = random.integer(0, depth > 0 ? 7 : 5);
  if (kind === 0) return null;
  if (kind === 1) return random.uniform() < 0.5;
  if (kind <= 3) return oddNumber(random);
  if (kind <= 5) return oddText(random);
  const size = random.integer(0, 4);
  if (kind === 6) return Array.from({ length: size }, () => oddValue(random, depth - 1));
  return Object.fromEntries(Array.from({ length: size }, () => [oddText(random), oddValue(random, depth - 1)]));
}

/** The value with a few of its parts replaced, left out or doubled; `share` is how likely each is touched. */
export function disturb(value: unknown, random: Random, share = 0.06): unknown {
  if (random.uniform() < share) return oddValue(random);
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => {
      const luck = random.uniform();
      if (luck < share / 2) return [];
      const changed = disturb(item, random, share);
      return luck < share ? [changed, changed] : [changed];
    });
    return items;
  }
  if (value && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) =>
        random.uniform() < share / 2
          ? []
          : [[random.uniform() < share / 2 ? oddText(random) : key, disturb(item, random, share)]],
      ),
    );
  return value;
}

/** Text with pieces cut, doubled, or odd texts put in. */
export function disturbText(text: string, random: Random): string {
  let out = text;
  for (let i = random.integer(0, 4); i > 0; i--) {
    const at = random.integer(0, out.length);
    const to = Math.min(out.length, at + random.integer(0, 30));
    const middle = random.pick(['', out.slice(at, to).repeat(2), oddText(random), String(oddNumber(random))]);
    out = out.slice(0, at) + middle + out.slice(to);
  }
  return out;
}

/** Bytes with bits turned, pieces cut or repeated, and numbers made large. */
export function disturbBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let out = Buffer.from(bytes);
  for (let i = random.integer(1, 6); i > 0 && out.length; i--) {
    const at = random.integer(0, out.length - 1);
    const kind = random.integer(0, 3);
    if (kind === 0) out[at] ^= 1 << random.integer(0, 7);
    else if (kind === 1) out[at] = random.pick([0, 1, 0x7f, 0x80, 0xff]);
    else if (kind === 2) out = out.subarray(0, at);
    else out = Buffer.concat([out.subarray(0, at), out.subarray(at, at + 16), out.subarray(at)]);
  }
  return out;
}
