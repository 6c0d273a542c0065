import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineCsv } from '../formats/csv-write.ts';
import { openRunStore, writeRunRecord } from '../run/folder/index.ts';
import { analyzePath } from './analyze/analyze-path.ts';

let home: string;
const run = () => join(home, 'run');
const versions = ['879db523c3', '31e35c80fc'];

/** The second generator's pictures are answered worse, the strategies' alike. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'picture-factors-'));
  const header = ['image', 'label', 'kind', 'nuisance', 'strategy', 'seed', 'provider', 'model', 'version'];
  const pictures = Array.from({ length: 240 }, (_, i) => {
    const [generator, strategy] = [i % 2, ['plain', 'studio'][Math.floor(i / 2) % 2]];
    return { i, image: `${i}.png`, generator, strategy, kind: ['background', 'texture'][Math.floor(i / 4) % 2] };
  });
  const data = join(home, 'manifest.csv');
  await writeFile(
    data,
    machineCsv(
      header,
      pictures.map(({ image, kind, strategy, generator }) => [
        ...[image, 'mug', kind, 'beach', strategy, '1', 'automatic1111', 'dreamshaper', versions[generator]],
      ]),
    ),
  );
  const store = await openRunStore(run());
  await store.write(
    'predictions',
    pictures.map(({ i, image, generator }) => {
      const correct = Math.floor(i / 8) % 10 >= (generator ? 6 : 2);
      return {
        ...{ model: 'm', trained: '', scenario: 'original', sample: image, group: '', label: 'mug', fold: -1 },
        ...{ prediction: correct ? 'mug' : 'vase', probability: 0.6, probabilityTruth: 0.4, rankTruth: 1 },
        ...{ correct, correctOwn: correct, condition: 'm', sampleHash: image },
      };
    }),
  );
  store.close();
  await writeRunRecord(run(), { models: [{ name: 'm' }], scenarios: ['original'], data: { path: data, samples: 240 } });
});
afterAll(() => rm(home, { recursive: true }));

describe('how pictures were generated', () => {
  it('is what analyze can regress on: strategy, the generator and its version, kind', async () => {
    const { terms } = await analyzePath(run(), {
      formula: 'correct ~ strategy + generatorVersion + kind',
      family: 'binomial',
    });
    const effect = new Map(terms.map(({ term, estimate }) => [term, estimate]));
    expect([...effect.keys()]).toEqual([
      'Intercept',
      'strategy[studio]',
      'generatorVersion[879db523c3]',
      'kind[texture]',
    ]);
    // Log odds of 8 in 10 against 4 in 10; the level that sorts first is the reference.
    expect(effect.get('generatorVersion[879db523c3]')).toBeCloseTo(Math.log(0.8 / 0.2) - Math.log(0.4 / 0.6), 6);
    expect(Math.abs(effect.get('strategy[studio]') ?? 9)).toBeLessThan(1e-6);
  });

  it('is left out where the manifest is gone', async () => {
    await writeRunRecord(run(), {
      models: [{ name: 'm' }],
      scenarios: ['original'],
      data: { path: join(home, 'gone.csv') },
    });
    await expect(analyzePath(run(), { formula: 'correct ~ strategy', family: 'binomial' })).rejects.toThrow(
      /No column 'strategy'/,
    );
  });
});
