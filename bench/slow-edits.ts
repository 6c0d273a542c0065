import { readDataset } from '../src/dataset/index.ts';
import { gaussianBlur } from '../src/image/blur.ts';
import { changeComplexity } from '../src/image/complexity.ts';
import { fillHole } from '../src/image/fill.ts';
import { erode } from '../src/image/mask-ops.ts';
import { estimateMatte } from '../src/image/matte/matte.ts';
import type { Mask, Raster } from '../src/image/raster.ts';
import { resize, resizeMask } from '../src/image/resize.ts';
import { loadPhotograph } from '../src/run/photograph.ts';
import { randomFor } from '../src/stats/random.ts';
import type { BenchInput, Figure } from './main.ts';

const photographs = { mode: 'pillow', flatten: [255, 255, 255], maxPixels: 1e8, border: 'ignore' } as const;
const pictures = 6;

/** At most so many times a Gaussian blur of the same picture, at any size. */
const limits = { fill: 140, complexity: 220, matte: 80 };

/** The edits that take longest, at three sizes, over a Gaussian blur (9 × 9) of the same pictures in the same run. */
export async function benchSlowEdits({ manifest }: BenchInput): Promise<Figure[]> {
  const dataset = await readDataset(manifest, {});
  const step = Math.max(1, Math.floor(dataset.samples.length / pictures));
  const samples = dataset.samples.filter(({ mask }, i) => mask && i % step === 0).slice(0, pictures);
  const figures: Figure[] = [];
  for (const longSide of [320, 500, 1000]) {
    const total = { blur: 0, fill: 0, complexity: 0, matte: 0 };
    for (const sample of samples) {
      const { image, mask } = await loadPhotograph(sample, photographs);
      if (!mask) continue;
      const { picture, object } = scaled(image, mask, longSide);
      const best = <Made>(kind: keyof typeof total, act: () => Made): Made => {
        const times = longSide > 400 ? 1 : 12;
        const taken = Array.from({ length: times }, () => {
          const started = process.cpuUsage();
          const made = act();
          const { user, system } = process.cpuUsage(started);
          return { made, ms: (user + system) / 1000 };
        });
        total[kind] += Math.min(...taken.map(({ ms }) => ms));
        return taken[0].made;
      };
      best('blur', () => gaussianBlur(picture, { kernel: 9, sigma: 0 }));
      const filled = best('fill', () => fillHole(picture, object, randomFor(0, sample.id)));
      best('complexity', () => changeComplexity({ ...filled }, 1.2));
      best('matte', () => estimateMatte(picture, trimapOf(object)));
    }
    const ms = (kind: keyof typeof total) => total[kind] / samples.length;
    const named = { fill: 'removing the object', complexity: 'complexity', matte: 'estimating the edge' } as const;
    for (const kind of ['fill', 'complexity', 'matte'] as const) {
      figures.push({ name: `${named[kind]}, ${longSide} px`, value: ms(kind), unit: 'ms of processor time' });
      figures.push({
        name: `${named[kind]}, ${longSide} px, over a blur`,
        value: ms(kind) / ms('blur'),
        unit: '×',
        limit: { atMost: limits[kind] },
      });
    }
  }
  return figures;
}

function scaled(image: Raster, mask: Mask, longSide: number) {
  const scale = longSide / Math.max(image.width, image.height);
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
  return { picture: resize(image, width, height, 'bicubic'), object: resizeMask(mask, width, height) };
}

/** The outermost 2 % of the object uncertain. */
function trimapOf(mask: Mask): Mask {
  const sure = erode(mask, { radius: Math.max(2, 0.02 * Math.max(mask.width, mask.height)) });
  return { ...mask, edges: 'matte', ignore: mask.data.map((value, i) => (value && !sure.data[i] ? 255 : 0)) };
}
