import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { Random } from '../../src/contracts/random.ts';
import { disturbBytes } from './grammar.ts';
import { oddInteger } from './pieces.ts';

const profile = readFileSync('test/fuzz/seeds/jpeg/exif-icc.jpg');
const iccAt = profile.indexOf('ICC_PROFILE\0') + 14;
const wholeIcc = profile.subarray(iccAt, iccAt + profile.readUInt32BE(iccAt));

/** A colour profile with its header's or its tags' numbers gone wrong. */
export function oddIcc(random: Random): Buffer {
  const icc = Buffer.from(wholeIcc);
  for (let i = random.integer(1, 4); i > 0; i--)
    icc.writeUInt32BE(oddInteger(random) >>> 0, 4 * random.integer(0, Math.min(120, icc.length / 4 - 1)));
  return random.uniform() < 0.3 ? Buffer.from(disturbBytes(icc, random)) : icc;
}

/** An EXIF block: a directory whose entries, counts and offsets lie, that leads back to itself, or that turns the picture. */
export function oddExif(random: Random): Buffer {
  const little = random.uniform() < 0.5;
  const entries = random.integer(0, 6);
  const block = Buffer.alloc(8 + 2 + 12 * entries + 4 + random.integer(0, 32));
  const put = (value: number, at: number, bytes: number) =>
    little ? block.writeUIntLE(value, at, bytes) : block.writeUIntBE(value, at, bytes);
  block.write(little ? 'II' : 'MM', 0, 'latin1');
  put(42, 2, 2);
  put(random.uniform() < 0.8 ? 8 : oddInteger(random), 4, 4);
  put(random.uniform() < 0.8 ? entries : oddInteger(random) & 0xffff, 8, 2);
  for (let i = 0; i < entries; i++) {
    const at = 10 + 12 * i;
    put(random.pick([0x0112, 0x8769, 0x8825, 0x0100, 0x0201, 0x927c, random.integer(0, 0xffff)]), at, 2);
    put(random.pick([1, 2, 3, 4, 5, 7, 13, random.integer(0, 0xffff)]), at + 2, 2);
    put(random.uniform() < 0.6 ? 1 : oddInteger(random), at + 4, 4);
    if (random.uniform() < 0.5) put(random.integer(0, 9), at + 8, 2);
    else put(oddInteger(random), at + 8, 4);
  }
  put(random.pick([0, 8, 10, oddInteger(random)]), 10 + 12 * entries, 4);
  return block;
}

/** A few hundred bytes that unpack to megabytes. */
const bombs = [1, 4].map((megabytes) => deflateSync(Buffer.alloc(megabytes << 20), { level: 9 }));
export const bomb = (random: Random): Buffer => random.pick(bombs);
