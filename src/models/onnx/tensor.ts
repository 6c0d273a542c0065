import type { Preprocessing } from '../../contracts/model-record.ts';
import type { Raster } from '../../image/raster.ts';
import { resizeCropTensor } from '../../image/resize.ts';
import { tensorFromTables, toFloat16 } from '../../image/tensor.ts';
import type { Prepared } from '../define.ts';

export { fromFloat16 } from '../../image/tensor.ts';

const arrays = { float32: Float32Array, float16: Uint16Array, uint8: Uint8Array };

/**
 * The number that stands for every 8-bit level of red, green and blue, 256 each. Every step is rounded to float32, as
 * `ToTensor` and `Normalize` do, so the tensor equals torchvision's to the bit. `mean` and `std` are in the order of the
 * network's channels.
 */
function levelTables({ scale, mean, std, type, channels }: Preprocessing, max: number): Prepared {
  const count = channels === 'L' ? 1 : 3;
  const tables = new arrays[type](count * 256);
  for (let colour = 0; colour < count; colour++) {
    const channel = channels === 'BGR' ? 2 - colour : colour;
    for (let level = 0; level < 256; level++) {
      const unit = Math.fround(scale === 'max' ? level / max : scale === 1 / 255 ? level / 255 : level * scale);
      const value = Math.fround(Math.fround(unit - Math.fround(mean[channel])) / Math.fround(std[channel]));
      tables[colour * 256 + level] = type === 'uint8' ? level : type === 'float16' ? toFloat16(value) : value;
    }
  }
  return tables;
}

/** A window of the resized picture. */
export interface ResizedWindow {
  readonly width: number;
  readonly height: number;
  readonly window: { x: number; y: number; width: number; height: number };
}

/** `tensorMaker` and the resizing before it in one; undefined where all pixels have to be looked at in between. */
export function resizedTensorMaker(
  preprocessing: Preprocessing,
): ((image: Raster, cut: ResizedWindow, spare?: Prepared) => Prepared | undefined) | undefined {
  const { channels, layout, scale, resize } = preprocessing;
  if (scale === 'max' || channels === 'L') return undefined;
  const tables = levelTables(preprocessing, 255);
  return (image, { width, height, window }, spare) => {
    const into = spare?.length === window.width * window.height * 3 ? { data: spare, offset: 0 } : undefined;
    const filter = resize?.filter ?? 'bilinear';
    return resizeCropTensor(image, [width, height], filter, window, tables, { layout, channels }, into);
  };
}

/** From an 8-bit picture to the numbers a network takes: scale, normalise, channel order, layout, type. */
export function tensorMaker(preprocessing: Preprocessing): (image: Raster, spare?: Prepared) => Prepared {
  const { channels, layout, scale } = preprocessing;
  const fixed = scale === 'max' ? undefined : levelTables(preprocessing, 255);
  return (image, spare) => {
    const tables = fixed ?? levelTables(preprocessing, largest(image.data));
    if (channels === 'L') return greyTensor(image, tables);
    const into = spare?.length === image.data.length ? { data: spare, offset: 0 } : undefined;
    return tensorFromTables(image, tables, { layout, channels }, into);
  };
}

/** Grey as Pillow's convert('L'): ITU-R 601-2 in 16-bit fixed point. */
function greyTensor({ width, height, data }: Raster, table: Prepared): Prepared {
  const tensor = new (table.constructor as new (length: number) => Prepared)(width * height);
  for (let i = 0, at = 0; i < tensor.length; i++, at += 3)
    tensor[i] = table[(data[at] * 19595 + data[at + 1] * 38470 + data[at + 2] * 7471 + 0x8000) >> 16];
  return tensor;
}

function largest(data: Uint8Array): number {
  let max = 0;
  for (const value of data) if (value > max) max = value;
  // A black picture stays black.
  return max || 1;
}
