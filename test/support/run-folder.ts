import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { PredictionRow } from '../../src/contracts/prediction.ts';
import type { TrainingRow } from '../../src/contracts/training.ts';
import { openRunStore } from '../../src/run/folder/index.ts';

interface RunFolderOptions {
  readonly models?: readonly string[];
  readonly scenarios?: readonly string[];
  readonly classes?: readonly string[];
  readonly perClass?: number;
  readonly folds?: number;
  /** Files that the answers lie in. */
  readonly shards?: number;
  /** Heads, by the scenario each was trained on; the empty text: as delivered. */
  readonly heads?: readonly string[];
  /** Is the answer right? By place of model, scenario and sample, and the head. */
  readonly right?: (model: number, scenario: number, sample: number, trained: string) => boolean;
  /** Rows of `training/*.parquet`. */
  readonly training?: readonly TrainingRow[];
}

/** A run folder as `sceneshift run` leaves it, with answers made up by a rule. */
export async function makeRunFolder(
  folder: string,
  {
    models = ['good', 'bad'],
    scenarios = ['original', 'blur-background', 'random-background', 'size:0.05'],
    classes = ['cat', 'dog', 'teapot'],
    perClass = 20,
    folds = 0,
    shards = 1,
    heads = [''],
    training = [],
    right = (model, scenario, sample) => (sample * 7 + scenario * 3) % 20 >= 2 + scenario * (2 + 2 * model),
  }: RunFolderOptions = {},
): Promise<void> {
  const samples = classes.flatMap((label) =>
    Array.from({ length: perClass }, (_, i) => ({ id: `${label}/${i}.jpg`, label })),
  );
  const cells = models.flatMap((model, m) => heads.map((trained) => ({ model, m, trained })));
  const rows = cells.flatMap(({ model, m, trained }) =>
    scenarios.flatMap((scenario, s) =>
      samples.map(({ id, label }, i) => {
        const correct = right(m, s, i, trained);
        const row: PredictionRow = {
          model,
          trained,
          scenario,
          sample: id,
          group: '',
          label,
          fold: folds ? i % folds : -1,
          prediction: correct ? label : classes[(classes.indexOf(label) + 1) % classes.length],
          probability: 0.8,
          probabilityTruth: correct ? 0.8 : 0.1,
          rankTruth: correct ? 1 : 2,
          correct,
          correctOwn: correct,
        };
        return { ...row, condition: `${model} ${trained} ${scenario}`, sampleHash: id };
      }),
    ),
  );
  const store = await openRunStore(folder);
  const perShard = Math.ceil(rows.length / shards);
  for (let from = 0; from < rows.length; from += perShard)
    await store.write('predictions', rows.slice(from, from + perShard));
  const curves = training.map((row) => ({
    ...row,
    condition: `${row.model} ${row.trained} ${row.fold}`,
    sampleHash: '',
  }));
  if (curves.length) await store.write('training', curves);
  store.close();
  await writeFile(join(folder, 'run.json'), JSON.stringify(recordOf(models, scenarios, classes, samples.length)));
  const error = { sample: 'cat/99.jpg', problem: 'truncated', message: 'the file ends early' };
  await writeFile(join(folder, 'errors.jsonl'), `${JSON.stringify(error)}\n`);
  await writePictures(folder, scenarios, samples.slice(0, 2));
}

const recordOf = (
  models: readonly string[],
  scenarios: readonly string[],
  classes: readonly string[],
  samples: number,
) => ({
  sceneshift: '0.0.0',
  config: { data: '/data/my photos', models: models.map((name) => `${name}.onnx`), scenarios, seed: 3 },
  seed: 3,
  data: { path: '/data/my photos', layout: 'image-folder', hash: 'd'.repeat(64), samples, classes },
  photographs: { mode: 'corrected', border: 'ignore' },
  scenarios,
  models: models.map((name, i) => ({
    name,
    kind: 'classifier',
    source: `${name}.onnx`,
    identity: { sha256: String(i).repeat(64) },
    parameters: 3_500_000 * (i + 1),
    preprocessing: {
      resize: { shortSide: 256, filter: 'bilinear' },
      crop: { width: 224, height: 224 },
      scale: 1 / 255,
      channels: 'RGB',
    },
    labelsFrom: 'FILE.json',
    warnings: [],
  })),
  versions: { node: '20.0.0' },
  processor: 'a processor',
  started: '2026-01-02T03:04:05.000Z',
});

async function writePictures(folder: string, scenarios: readonly string[], samples: { id: string; label: string }[]) {
  const picture = await sharp({ create: { width: 16, height: 12, channels: 3, background: '#3a7' } })
    .webp()
    .toBuffer();
  for (const place of samples.keys()) {
    await mkdir(join(folder, `pictures/0${place + 1}`), { recursive: true });
    for (const scenario of scenarios)
      await writeFile(join(folder, `pictures/0${place + 1}/${scenario.replace(':', '@')}.webp`), picture);
  }
  const index = {
    sizePx: 160,
    samples: samples.map(({ id, label }, place) => ({
      sample: id,
      label,
      why: 'fragile',
      pictures: scenarios.map((scenario) => ({
        scenario,
        file: `0${place + 1}/${scenario.replace(':', '@')}.webp`,
        width: 16,
        height: 12,
      })),
    })),
  };
  await writeFile(join(folder, 'pictures/index.json'), JSON.stringify(index));
}
