import { readDataset } from '../src/dataset/index.ts';
import { decodeImage } from '../src/image/decode.ts';
import { listBackgrounds } from '../src/run/list-pictures.ts';
import { loadPhotograph } from '../src/run/photograph.ts';
import { createScenePool } from '../src/run/scene-pool.ts';
import { parseScenarioList } from '../src/scenarios/name.ts';
import { presets } from '../src/scenarios/presets.ts';
import { scenarios } from '../src/scenarios/registry.ts';
import { applyScenario, createSceneSource, type SceneSource } from '../src/scenarios/scene.ts';
import type { BenchInput, Figure } from './main.ts';

const photographs = { mode: 'corrected', flatten: [255, 255, 255], maxPixels: 1e8, border: 'ignore' } as const;

/** Decoding alone, every scenario, and the mean edit of `ximagenet-12` over the decoding of the same images. */
export async function benchScenarios({ manifest, backgrounds }: BenchInput): Promise<Figure[]> {
  const dataset = await readDataset(manifest, {});
  const step = Math.max(1, Math.floor(dataset.samples.length / 96));
  const samples = dataset.samples.filter((_, i) => i % step === 0).slice(0, 96);
  const pool = createScenePool({
    samples: dataset.samples,
    seed: 0,
    photographs,
    backgrounds: await listBackgrounds(backgrounds),
  });
  const sources: SceneSource[] = [];
  for (const sample of samples)
    sources.push(createSceneSource({ sample, ...(await loadPhotograph(sample, photographs)), seed: 0, pool }));

  const timeDecode = () =>
    time(async () => {
      for (const { image } of samples) await decodeImage(image);
    });
  const timeEdit = (name: string, over = sources) => {
    const [{ scenario, params }] = parseScenarioList(name);
    return time(async () => {
      for (const source of over) await applyScenario(scenario, source.scene(name), params);
    });
  };

  // Decode and edits take turns, so that a noisy neighbour slows both; the median of the rounds' ratios counts.
  const preset = presets['ximagenet-12'].scenarios.filter((name) => name !== 'original');
  const rounds = 7;
  const ratios: number[] = [];
  const decodes: number[] = [];
  const edits = new Map(preset.map((name) => [name, [] as number[]]));
  await timeDecode();
  for (const name of preset) await timeEdit(name);
  for (let round = 0; round < rounds; round++) {
    const decode = ((await timeDecode()) + (await timeDecode())) / 2;
    decodes.push(decode);
    let sum = 0;
    for (const name of preset) {
      const edit = await timeEdit(name);
      edits.get(name)?.push(edit);
      sum += edit;
    }
    ratios.push(sum / preset.length / decode);
  }
  const perSecond = (ms: number, n = samples.length) => (1000 * n) / ms;
  const figures: Figure[] = [
    { name: 'decode', value: perSecond(median(decodes)), unit: 'images/s' },
    ...preset.map((name) => ({
      name: `edit: ${name}`,
      value: perSecond(median(edits.get(name) ?? [])),
      unit: 'images/s',
    })),
    { name: 'preset ximagenet-12: mean edit over decode', value: median(ratios), unit: '×', limit: { atMost: 0.8 } },
    {
      name: 'preset ximagenet-12: decode once and all edits',
      value: perSecond(median(decodes) * (1 + median(ratios) * preset.length)),
      unit: 'images/s',
    },
  ];
  const few = sources.slice(0, 12);
  for (const { id } of scenarios.filter(
    (scenario) => !preset.includes(scenario.id) && scenario.id !== 'original' && !scenario.needs.includes('generator'),
  )) {
    figures.push({ name: `edit: ${id}`, value: perSecond(await timeEdit(id, few), few.length), unit: 'images/s' });
  }
  return figures;
}

async function time(act: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];
