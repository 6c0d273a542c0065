import { UserError } from '../../contracts/errors.ts';
import type { ModelRecord, ResizeFilter } from '../../contracts/model-record.ts';

/** Pillow's numbers for its filters, which preprocessor_config.json uses. */
const filtersByNumber: readonly ResizeFilter[] = ['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming'];

type Size = number | { readonly [side: string]: unknown };
type Config = Record<string, unknown>;

/** Processors that read a plain number as the side of a square; the others read it as the short side. */
const squareByDefault = /^(ViT|DeiT|Beit|EfficientNet|Segformer|Perceiver|Siglip|DPT|Dinov2?|Swin|Data2Vec)/;

/**
 * A Hugging Face image processor's settings, read as transformers does: which steps are on (`do_*`), the size in its
 * several spellings, Pillow's filter number. Its centre crop rounds the offset down.
 */
export function fromHuggingFace(json: unknown, file: string): ModelRecord {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new UserError(`${file}: expected an object`);
  const config = json as Config;
  const type = String(config.image_processor_type ?? config.feature_extractor_type ?? '');
  const on = (flag: string, fallback: boolean) =>
    typeof config[flag] === 'boolean' ? (config[flag] as boolean) : fallback;
  const record: ModelRecord = {};

  const filter = filterOf(config.resample, file);
  const crop = on('do_center_crop', config.crop_size !== undefined)
    ? sizeOf(config.crop_size ?? config.size, true, file)
    : null;
  if (on('do_resize', config.size !== undefined)) {
    const geometry = resizeOf(config, type, filter, file);
    record.resize = geometry.resize;
    record.crop = geometry.crop ?? (crop && 'width' in crop ? { ...crop, offset: 'down' } : null);
  } else if (crop && 'width' in crop) Object.assign(record, { resize: null, crop: { ...crop, offset: 'down' } });

  if (on('do_rescale', true)) record.scale = numberOf(config.rescale_factor, file) ?? 1 / 255;
  else record.scale = 1;
  if (on('do_normalize', config.image_mean !== undefined)) {
    record.mean = listOf(config.image_mean, 'image_mean', file) ?? [0, 0, 0];
    record.std = listOf(config.image_std, 'image_std', file) ?? [1, 1, 1];
  }
  if (/^EfficientNet/.test(type)) efficientNetValues(record, on('include_top', true), on('rescale_offset', false));
  if (on('do_flip_channel_order', false)) record.input = { channels: 'BGR' };
  if (on('do_pad_to_square', false)) record.padToSquare = true;
  return record;
}

/** EfficientNet's processor divides by std twice for classifiers, and may take one off after rescaling. */
function efficientNetValues(record: ModelRecord, twice: boolean, offset: boolean): void {
  const { mean = [0, 0, 0], std = [1, 1, 1] } = record as { mean?: number[]; std?: number[] };
  if (offset) record.mean = mean.map((value) => value + 1);
  if (twice) record.std = std.map((value) => value * value);
}

function resizeOf(
  config: Config,
  type: string,
  filter: ResizeFilter,
  file: string,
): Pick<ModelRecord, 'resize' | 'crop'> {
  const size = sizeOf(config.size as Size, squareByDefault.test(type), file);
  if (!size) return {};
  if ('width' in size) return { resize: { ...size, filter } };
  const short = size.shortSide;
  // ConvNeXt's processor: below 384 the short side is enlarged by 1 / crop_pct and the size cut out; above, stretched.
  if (/^ConvNext/.test(type)) {
    if (short >= 384) return { resize: { width: short, height: short, filter } };
    const share = numberOf(config.crop_pct, file) ?? 224 / 256;
    return {
      resize: { shortSide: Math.trunc(short / share), filter },
      crop: { width: short, height: short, offset: 'down' },
    };
  }
  if (/^Levit/.test(type)) return { resize: { shortSide: Math.trunc((256 / 224) * short), filter } };
  if (/^PoolFormer/.test(type) && config.crop_pct !== null) {
    const share = numberOf(config.crop_pct, file) ?? 0.9;
    return { resize: { shortSide: Math.trunc(short / share), filter } };
  }
  return { resize: { shortSide: short, filter } };
}

function sizeOf(
  size: unknown,
  square: boolean,
  file: string,
): { width: number; height: number } | { shortSide: number } | null {
  const whole = (value: unknown, name: string): number => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
      throw new UserError(`${file}: expected a whole number for ${name}, but found ${JSON.stringify(value)}`);
    return value;
  };
  if (size === undefined || size === null) return null;
  if (typeof size === 'number') {
    const side = whole(size, 'size');
    return square ? { width: side, height: side } : { shortSide: side };
  }
  if (Array.isArray(size)) return { width: whole(size[1] ?? size[0], 'size'), height: whole(size[0], 'size') };
  const sides = size as Record<string, unknown>;
  if (sides.shortest_edge !== undefined) {
    const side = whole(sides.shortest_edge, 'size.shortest_edge');
    return { shortSide: side };
  }
  if (sides.height !== undefined || sides.width !== undefined)
    return { width: whole(sides.width, 'size.width'), height: whole(sides.height, 'size.height') };
  throw new UserError(
    `${file}: expected shortest_edge, or height and width, for size, but found ${JSON.stringify(size)}`,
  );
}

function filterOf(resample: unknown, file: string): ResizeFilter {
  if (resample === undefined || resample === null) return 'bilinear';
  const filter = filtersByNumber[resample as number];
  if (!filter)
    throw new UserError(
      `${file}: expected Pillow's filter number, 0 to 5, for resample, but found ${JSON.stringify(resample)}`,
    );
  return filter;
}

function numberOf(value: unknown, file: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw new UserError(`${file}: expected a number but found ${JSON.stringify(value)}`);
  return value;
}

function listOf(value: unknown, name: string, file: string): number[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'number'))
    throw new UserError(`${file}: expected a list of numbers for ${name}, but found ${JSON.stringify(value)}`);
  return value as number[];
}
