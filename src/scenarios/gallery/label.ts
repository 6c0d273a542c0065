import type { Raster, Rgb } from '../../image/raster.ts';

export const glyphWidth = 6;
export const glyphHeight = 9;

// The signs of a scenario's name, five pixels by nine: a digit of base 32 for each row, most significant bit on the left.
const glyphs = new Map(
  [
    'a00e1fhf00 bgguhhhu00 c00ehghe00 d11fhhhf00 e00ehvge00 f68u888800 g00fhhf11e hgguhhhh00 i40c444e00 j2062222ic',
    'kggikoki00 lc44444e00 m00qllll00 n00uhhhh00 o00ehhhe00 p00uhhuggg q00fhhf111 r00mpggg00 s00fge1u00 t88u888600',
    'u00hhhjd00 v00hhha400 w00hllla00 x00ha4ah00 y00hhhf11e z00v248v00 0ehjlphe00 14c4444e00 2eh168gv00 3eh161he00',
    '426aiv2200 5vgu11he00 668guhhe00 7v12488800 8ehhehhe00 9ehhf12c00 -0000e0000 .00000cc00 :00cc0cc00 =000v0v000',
    '+0044v4400',
  ]
    .join(' ')
    .split(' ')
    .map((glyph) => [glyph[0], [...glyph.slice(1)].map((row) => Number.parseInt(row, 32))]),
);

/** Writes a name into the picture, as far as it fits; a sign it has no glyph for leaves a gap. */
export function drawLabel(picture: Raster, text: string, left: number, top: number, [red, green, blue]: Rgb): void {
  const set = (x: number, y: number) => {
    if (x < 0 || x >= picture.width || y < 0 || y >= picture.height) return;
    picture.data.set([red, green, blue], (y * picture.width + x) * 3);
  };
  for (const [position, sign] of [...text].entries()) {
    const rows = glyphs.get(sign) ?? [];
    for (const [y, row] of rows.entries()) {
      for (let x = 0; x < 5; x++) if (row & (16 >> x)) set(left + position * glyphWidth + x, top + y);
    }
  }
}
