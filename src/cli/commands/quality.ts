import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expected } from '../../contracts/errors.ts';
import { fixedOf, significantOf, withRangeOf } from '../../contracts/numbers.ts';
import { readCsvObjects } from '../../formats/csv-rows.ts';
import { diversity } from '../../generate/quality/diversity.ts';
import type { Features } from '../../generate/quality/features.ts';
import { frechetDistance } from '../../generate/quality/frechet-distance.ts';
import { kernelDistance } from '../../generate/quality/kernel-distance.ts';
import { neighbourhoods } from '../../generate/quality/neighbourhoods.ts';
import { usualMostChanged } from '../../generate/quality/object-kept.ts';
import { threadsFrom } from '../../run/inputs.ts';
import { listPictures } from '../../run/list-pictures.ts';
import { openFeatureReader } from '../../run/picture-features.ts';
import { promptFit } from '../../run/prompt-fit.ts';
import { randomFor } from '../../stats/random.ts';
import { resolvePlace } from '../../storage/s3-url.ts';
import { defineCommand } from '../command.ts';
import { keptText, objectsOf } from '../object-kept.ts';
import { dataOptions, workOptions } from '../options.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';

export const quality = defineCommand({
  name: 'quality',
  summary:
    'Are generated pictures like real ones, and what was asked for? KID, FID, precision, recall, density, coverage and spread on the features of any network; CLIP score.',
  args: ['GENERATED', '[REAL]'],
  options: {
    backbone: { type: 'string', value: 'MODEL', describe: 'ONNX network whose penultimate layer is compared' },
    clip: {
      type: 'string',
      value: 'DIR',
      describe: 'CLIP-type pair of encoders: how well pictures show their prompts (GENERATED/manifest.csv)',
    },
    photographs: {
      type: 'string',
      value: 'DATA',
      describe: 'photographs that GENERATED was painted around, each named after one: was the object kept?',
    },
    masks: dataOptions.masks,
    layout: dataOptions.layout,
    'most-changed': {
      type: 'number',
      value: 'SHARE',
      default: usualMostChanged,
      describe: "share of an object's sure pixels that may have changed",
    },
    drop: {
      type: 'boolean',
      describe: 'write those that changed more, with the reason, to GENERATED/dropped.csv, which run --generated heeds',
    },
    neighbours: { type: 'number', value: 'K', default: 5, describe: 'of precision, recall, density and coverage' },
    seed: { type: 'number', default: 0, describe: 'of the resampling and of the choice of equal numbers' },
    threads: workOptions.threads,
  },
  examples: [
    'sceneshift quality pool/ photographs/ --backbone resnet50.onnx',
    'sceneshift quality pool/ --clip clip-vit-base-patch32/',
    'sceneshift quality generated/ --photographs photos/ --drop',
  ],
  async run(values, [generatedPath, realPath]) {
    const { json, backbone, clip, neighbours: k, seed, threads } = values;
    if (values.photographs) {
      const kept = await objectsOf(resolve(generatedPath), values.photographs, values);
      return print(json, { objectKept: kept }, () => keptText(kept));
    }
    const fit = clip ? await fitOf(resolve(generatedPath), resolve(clip), threadsFrom(threads)) : undefined;
    if (!realPath && fit) return print(json, { clipScore: fit }, () => fitText(fit));
    if (!realPath)
      throw expected('the real pictures to compare with, --clip DIR or --photographs DATA', 'REAL', undefined);
    if (!backbone) throw expected('an ONNX network', '--backbone', undefined);
    const reader = await openFeatureReader(resolvePlace(backbone), { threads: threadsFrom(threads) });
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
        ...(fit && { clipScore: fit }),
      };
      print(json, result, () =>
        [
          `${generated.rows} generated pictures against ${real.rows} real ones`,
          `KID        ${withRangeOf(kid.estimate, kid.ci, (value) => significantOf(value, 3))}; about nought where they are of one kind`,
          `FID        ${significantOf(fid)} on ${n} and ${n} pictures; compare only at equal numbers`,
          `precision  ${fixedOf(result.precision, 3)}   recall    ${fixedOf(result.recall, 3)}`,
          `density    ${fixedOf(result.density, 3)}   coverage  ${fixedOf(result.coverage, 3)}`,
          `spread     ${significantOf(result.spread.generated.spread, 3)} of the generated, ${significantOf(result.spread.real.spread, 3)} of the real`,
          ...(fit ? [fitText(fit)] : []),
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

/** How well the pictures of a folder that `generate` wrote show their prompts, on the whole and by what was varied. */
async function fitOf(folder: string, clip: string, threads: number) {
  const manifest = join(folder, 'manifest.csv');
  const text = await readFile(manifest, 'utf8').catch(() => {
    throw expected('a folder that sceneshift generate wrote', '--clip', folder, 'its manifest.csv has the prompts');
  });
  const rows = readCsvObjects(text, manifest).filter(({ prompt }) => prompt);
  if (!rows.length) throw expected('a column of prompts', manifest, 'none');
  const progress = createProgress({ title: 'clip', noun: 'pictures', total: rows.length });
  const scores = await promptFit(
    rows.map(({ image, prompt }) => ({ file: join(folder, image), prompt })),
    clip,
    { threads, onProgress: (done) => progress.update(done) },
  ).finally(() => progress.finish());
  const pictures = rows.map(({ image, kind = '' }, i) => ({ image, kind, score: scores[i] }));
  const known = pictures.filter(({ score }) => Number.isFinite(score));
  const mean = (of: typeof known) => of.reduce((sum, { score }) => sum + score, 0) / of.length;
  const kinds = [...new Set(known.map(({ kind }) => kind))].filter(Boolean).sort();
  return {
    mean: mean(known),
    byKind: kinds.map((kind) => ({ kind, mean: mean(known.filter((picture) => picture.kind === kind)) })),
    pictures: known.sort((a, b) => a.score - b.score),
  };
}

const fitText = ({ mean, byKind, pictures }: Awaited<ReturnType<typeof fitOf>>) =>
  [
    `CLIP score ${fixedOf(mean, 3)} over ${pictures.length} pictures (2.5 × the cosine with their prompts; compare only under one pair of encoders)`,
    ...byKind.map(({ kind, mean: own }) => `  ${kind} ${fixedOf(own, 3)}`),
    `the least: ${pictures
      .slice(0, 5)
      .map(({ image, score }) => `${image} ${fixedOf(score, 3)}`)
      .join(', ')}`,
  ].join('\n');

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
