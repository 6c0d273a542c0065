import { createMask, createRaster, type Mask, type Raster } from '../../image/raster.ts';
import { cover } from '../cover.ts';
import { drawExample } from '../gallery/example.ts';
import type { ScenePool } from '../scene.ts';

export interface MaskedPhotograph {
  readonly image: Raster;
  readonly mask: Mask;
}

/** Drawn, so that they are the same everywhere; the first is edited, the others are what its dataset holds. */
export const drawPhotographs = (): MaskedPhotograph[] =>
  [1, 2, 3, 4].map((seed) => drawExample({ width: 64, height: 48, seed }));

/** Backgrounds and other pictures, picked from the photographs. */
export const poolOf = (photographs: readonly MaskedPhotograph[]): ScenePool => ({
  background: async (random, _sample, width, height) => cover(random.pick(photographs).image, width, height),
  other: async (random) => random.pick(photographs),
  generated: async () => undefined,
  paint: async ({ image }) => cover(photographs[3].image, image.width, image.height),
});

const oddSizes = [
  [1, 1],
  [2, 3],
  [17, 13],
  [64, 1],
];

const oddShapes: Record<string, (x: number, y: number, width: number, height: number) => boolean> = {
  'an object of one pixel': (x, y, width, height) => x === width >> 1 && y === height >> 1,
  'an object on all four borders': (x, y, width, height) => x === 0 || y === 0 || x === width - 1 || y === height - 1,
  'an object that is everything': () => true,
};

/** Odd sizes and masks (one pixel, all four borders, everything) on which every scenario must work. */
export const oddPhotographs = (): [title: string, photograph: MaskedPhotograph][] =>
  oddSizes.flatMap(([width, height]) =>
    Object.entries(oddShapes).map(([title, inside]): [string, MaskedPhotograph] => {
      const image = createRaster(
        width,
        height,
        Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 89) % 251),
      );
      const data = Uint8Array.from({ length: width * height }, (_, i) =>
        inside(i % width, Math.floor(i / width), width, height) ? 255 : 0,
      );
      return [`${width}×${height} with ${title}`, { image, mask: createMask(width, height, data) }];
    }),
  );
