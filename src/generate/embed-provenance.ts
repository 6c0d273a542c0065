import { crc32 } from 'node:zlib';
import { loadSharp } from '../image/sharp.ts';
import type { GeneratedImage } from './provider.ts';

/** The word under which a picture carries where it comes from: a PNG text, or a JPEG comment that starts with it. */
export const provenanceWord = 'sceneshift';

/** The picture with its provenance inside; pixels stay as they are. WebP becomes PNG, which can carry it plainly. */
export async function embedProvenance({
  bytes,
  format,
  provenance,
}: GeneratedImage): Promise<{ bytes: Uint8Array; extension: 'png' | 'jpg' }> {
  const text = JSON.stringify(provenance);
  if (format === 'jpeg') return { bytes: withComment(bytes, `${provenanceWord} ${text}`), extension: 'jpg' };
  const png = format === 'png' ? bytes : new Uint8Array(await (await loadSharp())(bytes).png().toBuffer());
  return { bytes: withText(png, text), extension: 'png' };
}

/** An `iTXt` chunk (UTF-8, not compressed) right after the header; PNG specification, 11.3.3.4. */
function withText(png: Uint8Array, text: string): Uint8Array {
  const headerEnd = 8 + 25;
  const body = Buffer.from(`iTXt${provenanceWord}\0\0\0\0\0${text}`, 'utf8');
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]);
}

/** A comment segment right after the start of the image; longer ones are cut, since a segment holds 64 KiB. */
function withComment(jpeg: Uint8Array, text: string): Uint8Array {
  const body = Buffer.from(text, 'utf8').subarray(0, 65_533);
  const head = Buffer.from([0xff, 0xfe, (body.length + 2) >> 8, (body.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}
