import { createRaster, type Raster } from '../../image/raster.ts';
import { defineCorruption, type Severities } from './define-corruption.ts';
import { frostTexture } from './shared/frost-texture.ts';

interface Frost {
  /** Share of the photograph and of the frost; together they may pass 1, and the sum is clipped. */
  readonly keep: number;
  readonly ice: number;
}

export const frostSettings: Severities<Frost> = [
  { keep: 1, ice: 0.4 },
  { keep: 0.8, ice: 0.6 },
  { keep: 0.7, ice: 0.7 },
  { keep: 0.65, ice: 0.7 },
  { keep: 0.6, ice: 0.75 },
];

export function addFrost(image: Raster, texture: Raster, { keep, ice }: Frost): Raster {
  const out = createRaster(image.width, image.height);
  for (let i = 0; i < out.data.length; i++) out.data[i] = Math.min(255, keep * image.data[i] + ice * texture.data[i]);
  return out;
}

export const frost = defineCorruption({
  id: 'frost',
  title: 'Frost',
  description:
    "Ice crystals laid over the photograph with ImageNet-C's weights; the crystals are drawn, not its five photographs of frost.",
  severities: frostSettings,
  corrupt: (image, setting, random) => addFrost(image, frostTexture(image.width, image.height, random), setting),
});
