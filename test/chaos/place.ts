import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const benchmark = join(repository, 'benchmark');
export const bin = join(repository, 'bin', 'sceneshift.js');
export const modelFile = (name: string) => join(benchmark, 'models', `${name}.onnx`);

const sidePx = 112;
const samples = [
  { label: 'teapot', target: 849 },
  { label: 'umbrella', target: 879 },
].flatMap((each) => ['000', '001'].map((number) => ({ ...each, number })));

/** Four small photographs of the embedded benchmark with masks, and three plates: enough to go wrong, quickly done. */
export async function makeSources(folder: string): Promise<void> {
  const lines = samples.map(({ label, target, number }) =>
    [`images/${label}/${number}.jpg`, `masks/${label}/${number}.png`, label, target].join(','),
  );
  for (const { label, number } of samples) {
    await reduce(`images/${label}/${number}.jpg`, join(folder, 'data', `images/${label}/${number}.jpg`));
    await reduce(`masks/${label}/${number}.png`, join(folder, 'data', `masks/${label}/${number}.png`), 'nearest');
  }
  await writeFile(join(folder, 'data', 'manifest.csv'), `image,mask,label,target\n${lines.join('\n')}\n`);
  for (const plate of ['beach-00', 'jetty-00', 'sky-01'])
    await reduce(`backgrounds/${plate}.jpg`, join(folder, 'plates', `${plate}.jpg`));
  await writeFile(join(folder, 'gates.yaml'), 'gates:\n  - { metric: top1, scenario: original, min: 0 }\n');
  // What a photograph becomes where a source changes in between.
  await reduce('images/airship/000.jpg', join(folder, 'other.jpg'));
}

/** The photograph that changes. */
export const changingSource = 'data/images/teapot/001.jpg';

async function reduce(from: string, to: string, kernel: 'nearest' | 'lanczos3' = 'lanczos3'): Promise<void> {
  await mkdir(join(to, '..'), { recursive: true });
  await sharp(join(benchmark, from)).resize(sidePx, sidePx, { kernel }).toFile(to);
}

/** Empties the trial's folder and puts what a command starts from into it. The folder itself stays: it may be a mount. */
export async function lay(trial: string, from: string, names: readonly string[]): Promise<void> {
  await mkdir(trial, { recursive: true });
  for (const name of names) await cp(join(from, name), join(trial, name), { recursive: true });
}

export const clear = (trial: string): Promise<void> => rm(trial, { recursive: true, force: true });
