import { resolve } from 'node:path';
import { expected } from '../../contracts/errors.ts';
import { diversity } from '../../generate/quality/diversity.ts';
import type { Features } from '../../generate/quality/features.ts';
import { frechetDistance } from '../../generate/quality/frechet-distance.ts';
import { kernelDistance } from '../../generate/quality/kernel-distance.ts';
import { neighbourhoods } from '../../generate/quality/neighbourhoods.ts';
import { threadsFrom } from '../../run/inputs.ts';
import { openFeatureReader } from '../../run/picture-features.ts';
import { listPictures } from '../../run/scene-pool.ts';
import { randomFor } from '../../stats/random.ts';
import { defineCommand } from '../command.ts';
import { workOptions } from '../options.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';

export const quality = defineCommand({
  name: 'quality',
  summary:
    'Are generated pictures like real ones? KID, FID, precision, recall, density, coverage and spread on the features of any network.',
  args: ['GENERATED', 'REAL'],
  options: {
    backbone: { type: 'string', value: 'MODEL', describe: 'ONNX network whose penultimate layer is compared' },
    neighbours: { type: 'number', value: 'K', default: 5, describe: 'of precision, recall, density and coverage' },
    seed: { type: 'number', default: 0, describe: 'of the resampling and of the choice of equal numbers' },
    threads: workOptions.threads,
  },
  examples: ['sceneshift quality pool/ photographs/ --backbone resnet50.onnx'],
  async run({ json, backbone, neighbours: k, seed, threads }, [generatedPath, realPath]) {
    if (!backbone) throw expected('an ONNX network', '--backbone', undefined);
    const reader = await openFeatureReader(resolve(backbone), { threads: threadsFrom(threads) });
    try {
      const generated = await read('generated', generatedPath);
      const real = await read('real', realPath);
      const n = Math.min(generated.rows, real.rows);
      const random = () => randomFor('quality', seed);
      const kid = kernelDistance(generated, real, { random: random() });
      // FID depends on the number of pictures, so both sides get the same.
      const fid = frechetDistance(draw(generated, n, seed), draw(real, n, seed));
      const result = {
        pictures: { generated: generated.rows, real: real.rows },
        kid,
        fid: { value: fid, n },
        ...neighbourhoods(real, generated, { k }),
        spread: { generated: diversity(generated), real: diversity(real) },
      };
      print(json, result, () =>
        [
          `${generated.rows} generated pictures against ${real.rows} real ones`,
          `KID        ${kid.estimate.toPrecision(4)} (${kid.ci[0].toPrecision(3)} to ${kid.ci[1].toPrecision(3)}); about nought where they are of one kind`,
          `FID        ${fid.toPrecision(4)} on ${n} and ${n} pictures; compare only at equal numbers`,
          `precision  ${result.precision.toFixed(3)}   recall    ${result.recall.toFixed(3)}`,
          `density    ${result.density.toFixed(3)}   coverage  ${result.coverage.toFixed(3)}`,
          `spread     ${result.spread.generated.spread.toPrecision(3)} of the generated, ${result.spread.real.spread.toPrecision(3)} of the real`,
        ].join('\n'),
      );
    } finally {
      await reader.close();
    }

    async function read(title: string, path: string): Promise<Features> {
      const files = await listPictures(resolve(path), `the ${title} pictures`);
      const progress = createProgress({ title, noun: 'pictures', total: files.length });
      return reader.read(files, (done) => progress.update(done)).finally(() => progress.finish());
    }
  },
});

/** So many rows, drawn without replacement. */
function draw(features: Features, n: number, seed: number): Features {
  if (features.rows === n) return features;
  const { dims, data } = features;
  const rows = randomFor('draw', seed)
    .shuffle(Array.from({ length: features.rows }, (_, i) => i))
    .slice(0, n);
  const kept = new Float64Array(n * dims);
  for (const [i, row] of rows.entries()) kept.set(data.subarray(row * dims, (row + 1) * dims), i * dims);
  return { rows: n, dims, data: kept };
}
