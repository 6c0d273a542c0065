import { relative, resolve } from 'node:path';
import type { MaskSource, Sample } from '../../contracts/sample.ts';

/**
 * The dataset with the masks drawn, and its own where none was, as a manifest in `folder` that `--data` reads. Null where a
 * manifest cannot say all that the dataset does: pixels that no edit may change.
 */
export function manifestLines(
  samples: readonly Sample[],
  folder: string,
  drawn: (index: number) => string | undefined,
): string | null {
  if (samples.some(({ protect }) => protect)) return null;
  const near = (path: string) => relative(folder, resolve(path)).replaceAll('\\', '/');
  const own = (source: MaskSource | undefined) =>
    source?.kind === 'file' ? { ...source, path: near(source.path) } : source;
  return samples
    .map((sample, i) => {
      const { id, image, label, targets, split, group, box, scenario } = sample;
      const mask = drawn(i) ?? own(sample.mask);
      return `${JSON.stringify({ image: near(image), sample: id, mask, label, target: targets, split, group, box, scenario })}\n`;
    })
    .join('');
}
