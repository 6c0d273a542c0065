import { compose } from '../image/compose.ts';
import { fillWith } from '../image/crop.ts';
import { createRaster, type Mask, type Raster, type Rgb } from '../image/raster.ts';

/** The object on a background of one colour. */
export function onColour(image: Raster, mask: Mask, colour: Rgb): Raster {
  const plain = createRaster(image.width, image.height);
  fillWith(plain.data, colour);
  return compose(image, plain, mask);
}
