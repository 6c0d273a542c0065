import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeImage, encodeMask } from '../../image/encode.ts';
import { sweepPartial, writeAtomic } from '../../run/atomic.ts';
import { randomFor } from '../../stats/random.ts';
import { drawPicture } from './draw.ts';
import { type EnvironmentName, environmentNames, usualEnvironment } from './environments.ts';
import { drawLook, type ObjectName, objectNames } from './objects.ts';

/** One object, seen twice: where its class is usually seen, and somewhere else. */
export interface DemoSample {
  readonly id: string;
  readonly mask: string;
  readonly label: ObjectName;
  readonly environment: EnvironmentName;
  readonly usual: boolean;
  /** Which of the class's objects; both pictures of it are one group. */
  readonly object: number;
}

const objectsPerClass = 8;

/** The other environments take turns, so that each class is seen in all of them. */
export const demoSamples: readonly DemoSample[] = objectNames.flatMap((label, c) =>
  Array.from({ length: objectsPerClass }, (_, object) => {
    const usual = usualEnvironment[label];
    const others = environmentNames.filter((name) => name !== usual);
    const places = [usual, others[(object + c) % others.length]];
    return places.map((environment): DemoSample => {
      const name = `${label}/${String(object + 1).padStart(2, '0')}-${environment}`;
      const [id, mask] = [`images/${name}.png`, `masks/${name}.png`];
      return { id, mask, label, environment, usual: environment === usual, object };
    });
  }).flat(),
);

/** Draws the dataset, unless it is there; returns its manifest. The same bytes each time, so that a run goes on. */
export async function writeDemoDataset(
  folder: string,
  onProgress?: (done: number, total: number) => void,
): Promise<string> {
  const manifest = join(folder, 'manifest.csv');
  if (await isDrawn(folder, manifest)) return manifest;
  const rows = ['image,mask,label,target,split,group'];
  for (const [i, sample] of demoSamples.entries()) {
    const { image, mask } = drawSample(sample);
    await writeAtomic(folder, sample.id, await encodeImage(image, { format: 'png' }));
    await writeAtomic(folder, sample.mask, await encodeMask(mask));
    const group = `${sample.label}-${sample.object + 1}`;
    rows.push([sample.id, sample.mask, sample.label, objectNames.indexOf(sample.label), 'test', group].join(','));
    onProgress?.(i + 1, demoSamples.length);
  }
  await writeAtomic(folder, 'manifest.csv', `${rows.join('\n')}\n`);
  await sweepPartial(folder);
  return manifest;
}

/** Every file is there, and the first picture is the one this version draws. */
async function isDrawn(folder: string, manifest: string): Promise<boolean> {
  const files = [manifest, ...demoSamples.flatMap(({ id, mask }) => [join(folder, id), join(folder, mask)])];
  if (!files.every((file) => existsSync(file))) return false;
  const bytes = await encodeImage(drawSample(demoSamples[0]).image, { format: 'png' });
  return Buffer.compare(await readFile(join(folder, demoSamples[0].id)), bytes) === 0;
}

const drawSample = ({ label, object, environment, id }: DemoSample) =>
  drawPicture({ look: drawLook(label, randomFor('demo object', label, object)), environment, seed: id });
