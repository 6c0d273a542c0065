// The seeds that Pillow cannot write (make-seeds.py makes the others). Made with sharp 0.35: node test/fuzz/make-seeds.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';

const [width, height] = [24, 16];
const pixels = (channels, at) =>
  sharp(
    Uint8Array.from({ length: width * height * channels }, (_, i) => at(i)),
    { raw: { width, height, channels } },
  );
const rgb = () => pixels(3, (i) => (i * 37) & 255);
const rgba = () => pixels(4, (i) => (i * 29) & 255);
const turned = { orientation: 6 };

const seeds = {
  'png/interlaced.png': rgba().png({ progressive: true }),
  'png/rgb-16.png': rgb().toColourspace('rgb16').png(),
  'tiff/tiled.tif': rgb().tiff({ tile: true, tileWidth: 16, tileHeight: 16, compression: 'lzw' }),
  'tiff/pyramid.tif': rgb().tiff({ pyramid: true, tile: true, tileWidth: 16, tileHeight: 16, compression: 'deflate' }),
  'tiff/sixteen-bit.tif': rgb().toColourspace('rgb16').tiff({ compression: 'deflate', predictor: 'horizontal' }),
  'tiff/big.tif': rgb().tiff({ compression: 'none', bigtiff: true }),
  'avif/lossy.avif': rgb().avif({ quality: 40, effort: 0 }),
  'avif/lossless.avif': rgb().avif({ lossless: true, effort: 0 }),
  'avif/alpha.avif': rgba().avif({ quality: 40, effort: 0, chromaSubsampling: '4:4:4' }),
  'avif/turned-icc.avif': rgb().avif({ effort: 0 }).withMetadata(turned).withIccProfile('p3'),
  'jpeg/turned-p3.jpg': rgb().jpeg({ quality: 60 }).withMetadata(turned).withIccProfile('p3'),
};
for (const [name, picture] of Object.entries(seeds)) {
  const file = new URL(`seeds/${name}`, import.meta.url);
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, await picture.toBuffer());
}
